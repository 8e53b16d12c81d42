import { expect, it } from 'vitest';
import { eventsFrom } from '../../src/thread/commit.ts';
import { command, environmentIn, folder } from './stage.ts';

it('The terminal decides nothing: a decision comes from a click or a form in Slack, and a record of one from elsewhere is not read as one [S-43, F-L12]', async () => {
  const environment = environmentIn(folder());
  for (const name of ['approve', 'reject', 'decide', 'settle', 'cancel', 'freeze']) {
    const { code, out, err } = await command(environment, name, 'A-7F3K');
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([
      `There is no command "${name}". There are: demo, doctor, whois, tools, policy:test, pending, record, report, table:create.`,
    ]);
  }
  const digest = 'a'.repeat(64);
  const facts = {
    type: 'decision.recorded',
    approval: 'A',
    round: 1,
    by: 'U0MIA0001',
    team: 'T0ACME001',
    verdict: 'approve',
    key: 'k',
    content: digest,
    digest,
    card: { channel: 'C0APPROV1', ts: '1.1' },
    scopes: ['sre'],
    lookedUpAtMs: 1,
    rule: null,
  };
  const read = (origin: string) => eventsFrom([{ ...facts, origin }], [{ name: 'Mia Chen' }]);
  for (const origin of ['click', 'form']) expect(read(origin)).toHaveLength(1);
  for (const origin of ['terminal', 'local', 'admin', '']) expect(read(origin)).toBeUndefined();
});
