/**
 * The same contract on Amazon's own stand-in, which needs Java: start `java -jar DynamoDBLocal.jar -inMemory -port 8000` and
 * give its address in the variable.
 */
import { describe } from 'vitest';
import { dynamoBackend } from './fixture.ts';
import { describeLog } from './log-contract.ts';

const endpoint = process.env['COUNTERSIGN_DYNAMODB_LOCAL'];
describe.skipIf(!endpoint)('Where COUNTERSIGN_DYNAMODB_LOCAL names an endpoint', () => {
  describeLog('on DynamoDB Local', () => dynamoBackend(endpoint ?? ''));
});
