import { afterAll } from 'vitest';
import { startDynalite } from '../../src/local/dynalite.ts';
import { dynamoBackend } from './fixture.ts';
import { describeLog } from './log-contract.ts';

const embedded = await startDynalite();
afterAll(() => embedded.close());

describeLog('on the embedded table', () => dynamoBackend(embedded.endpoint));
