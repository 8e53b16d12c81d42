import { memoryBackend } from './fixture.ts';
import { describeLog } from './log-contract.ts';

describeLog('in memory', async () => memoryBackend());
