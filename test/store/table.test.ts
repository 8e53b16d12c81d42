import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynalite, type EmbeddedTable } from '../../src/local/dynalite.ts';
import { createTable, tableSchema, tableState } from '../../src/store/table.ts';
import { faultClient, type FaultClient } from './fault-client.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startDynalite();
});
afterAll(() => embedded.close());

const local = (): FaultClient => faultClient(embedded.endpoint);
/** Stands for the cloud where the stand-in does not know a call. */
const cloudlike = (): FaultClient => {
  const cloud = local();
  cloud.pretend('UpdateContinuousBackupsCommand', {});
  cloud.pretend('UpdateTableCommand', {});
  return cloud;
};

describe('A table', () => {
  it('is made with its index, by demand, and found the next time', async () => {
    const { client, clock } = local();
    expect((await tableState(client, 'made-once')).problems).toEqual([
      'There is no table made-once; npm run table:create makes it.',
    ]);
    expect(await createTable(client, 'made-once', clock)).toBe('created');
    expect(await createTable(client, 'made-once', clock)).toBe('found');
    expect(await tableState(client, 'made-once')).toMatchObject({ problems: [], expiresBy: null });
  });

  it('is made on a stand-in that knows no protection, which is then said to be unknown', async () => {
    const { client, clock } = local();
    await createTable(client, 'bare', clock);
    expect(await tableState(client, 'bare')).toMatchObject({ recovery: 'unknown', deletionProtection: 'unknown' });
  });

  it('is protected against loss where that is known', async () => {
    const cloud = cloudlike();
    await createTable(cloud.client, 'cloud', cloud.clock);
    const changes = cloud.requests.filter(request => request.command.startsWith('Update'));
    expect(changes.map(({ command, input }) => [command, input])).toEqual([
      [
        'UpdateContinuousBackupsCommand',
        { TableName: 'cloud', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
      ['UpdateTableCommand', { TableName: 'cloud', DeletionProtectionEnabled: true }],
    ]);
    expect(changes.some(({ command }) => command.includes('TimeToLive'))).toBe(false);
  });

  it('that is not ready for protection is asked again; one that may not be protected is an error', async () => {
    const cloud = cloudlike();
    cloud.refuse('UpdateContinuousBackupsCommand', 'ContinuousBackupsUnavailableException', 2);
    const pacing = { ...paced(cloud) };
    expect(await createTable(cloud.client, 'slow', pacing)).toBe('created');
    cloud.refuse('UpdateContinuousBackupsCommand', 'AccessDeniedException');
    await expect(createTable(cloud.client, 'slow', pacing)).rejects.toThrow('is there, but could not be protected');
    const asked = cloud.requests.filter(({ command }) => command === 'UpdateContinuousBackupsCommand');
    expect(asked.length, 'twice not yet, once done, once refused').toBe(4);
  });

  it('of another form is refused with everything that is wrong with it', async () => {
    const { client, clock } = local();
    const other: CreateTableCommandInput = {
      TableName: 'other',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    };
    await client.send(new CreateTableCommand(other));
    await expect(createTable(client, 'other', clock)).rejects.toThrow(
      /The table other has other keys than pk, sk\. The table other has no index due\./,
    );
    const [index] = tableSchema('thin').GlobalSecondaryIndexes ?? [];
    const thin = {
      ...tableSchema('thin'),
      GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'KEYS_ONLY' as const } }],
    };
    await client.send(new CreateTableCommand(thin as CreateTableCommandInput));
    expect((await tableState(client, 'thin')).problems).toEqual([
      'The index due of thin does not carry nonce and open.',
    ]);
  });

  it('whose items expire is a problem', async () => {
    const cloud = cloudlike();
    await createTable(cloud.client, 'expiring', cloud.clock);
    cloud.pretend('DescribeTimeToLiveCommand', {
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' },
    });
    cloud.pretend('DescribeContinuousBackupsCommand', {
      ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } },
    });
    expect(await tableState(cloud.client, 'expiring')).toMatchObject({
      problems: ['Items of expiring expire by ttl; what was a commit must be kept.'],
      recovery: 'on',
      expiresBy: 'ttl',
    });
  });

  it('that cannot be looked at is unavailable', async () => {
    const unwelcome = local();
    const { client, clock } = unwelcome;
    unwelcome.refuse('DescribeTableCommand', 'AccessDeniedException');
    await expect(tableState(client, 'any')).rejects.toThrow('The table any could not be looked at');
    await expect(createTable(client, 'any', clock)).rejects.toThrow('could not be looked at');
  });
});

/** A clock whose long pauses pass by themselves. */
const paced = ({ clock }: FaultClient) => ({
  nowMs: () => clock.nowMs(),
  monotonicMs: () => clock.monotonicMs(),
  sleep: async (ms: number) => clock.advance(ms),
});
