/**
 * Owns what other ways than a click on Approve cost: a question that is answered, a request that is edited, a call under a
 * standing permission. Counted for the software alone, each half of a turn by a fresh process object; nothing stands beside it.
 */
import type { Account, Tally } from './account.ts';
import type { Countersign } from './countersign.ts';
import { ASKS_FIRST, turnOf, type Effects } from './script.ts';

/** What the rule about money offers here beside Approve and Reject. */
export const OFFERS = `    edit: [reason]
    grants: { max: 1h, uses: 5, scope: thread, where: [order] }
`;

const THREADS = 10;
const FIRST_THREAD = 900;

interface Measured {
  readonly subject: Countersign;
  readonly account: Account;
  readonly effects: Effects;
}

/** Does the work of one thread; true when it was done as it must be. Only what `paid` does is counted. */
type Way = (one: Measured, thread: number, paid: (work: () => Promise<void>) => Promise<void>) => Promise<boolean>;

const WAYS: Readonly<Record<string, Way>> = {
  'a question, answered by form': async ({ subject }, thread, paid) => {
    const { question, answer } = turnOf(thread, 1);
    await paid(() => subject.say(thread, `${ASKS_FIRST} ${question}`));
    await subject.wait();
    const desk = await subject.desk(thread, 1);
    const given = { question: desk.question, given: { text: 'the second one' }, asked: 0, origin: 'form' } as const;
    await paid(() => desk.act(desk.inbox.answer(desk.dana(), given)));
    return (await desk.answer()) === answer;
  },

  'a request, edited and approved': async ({ subject, effects }, thread, paid) => {
    const { question, answer, refund, order } = turnOf(thread, 1);
    const { refunds } = effects;
    await paid(() => subject.say(thread, question));
    await subject.wait();
    const desk = await subject.desk(thread, 1);
    const { note } = JSON.parse(refund) as { note: string };
    const change = { approval: desk.approval, round: 1, args: { note, order, reason: 'Twice as late as was said.' } };
    const edited = async () => {
      const preview = await desk.inbox.previewEdit(desk.mia(), change);
      return preview.refusal ? preview : desk.inbox.edit(desk.mia(), { ...change, shown: preview.shown });
    };
    await paid(() => desk.act(edited()));
    return effects.refunds === refunds + 1 && (await desk.answer()) === answer;
  },

  'a call under a grant': async ({ subject, effects }, thread, paid) => {
    const { question, answer } = turnOf(thread, 1);
    await subject.say(thread, question);
    const desk = await subject.desk(thread, 1);
    const grant = { forMs: 3_600_000, uses: 5, sentence: 'The same order, for an hour, 5 times.' };
    const decision = { round: 1, verdict: 'approve', reason: null, then: null, origin: 'form' } as const;
    await desk.act(desk.inbox.decide(desk.mia(), { ...decision, approval: desk.approval, grant }));
    const { refunds } = effects;
    await paid(() => subject.say(thread, question));
    return effects.refunds === refunds + 1 && (await (await subject.desk(thread, 2)).answer()) === answer;
  },
};

/** The middle of what the ways cost, as a table; throws when one was not done as it must be. */
export async function waysOf(measured: Measured): Promise<string[]> {
  const { account } = measured;
  const paid = async (work: () => Promise<void>): Promise<void> => {
    account.payer = 'turn';
    await work();
    account.payer = 'nobody';
  };
  const rows: string[] = [];
  let thread = FIRST_THREAD;
  for (const [name, way] of Object.entries(WAYS)) {
    const tallies: { path: Tally; apart: Tally }[] = [];
    for (const last = thread + THREADS; thread < last; thread += 1) {
      account.take();
      if (!(await way(measured, thread, paid))) throw new Error(`${name}, thread ${thread}: not done as it must be.`);
      tallies.push(account.take());
      await measured.subject.rest();
    }
    const middle = (of: (tally: (typeof tallies)[number]) => number): string =>
      String(tallies.map(of).sort((a, b) => a - b)[Math.floor(tallies.length / 2)]);
    rows.push(
      `| ${name} | ${middle(one => one.path.requests)} | ${middle(one => one.path.write)} | ${middle(one => one.path.read)} | ${middle(one => one.apart.kinds.marks ?? 0)} |`,
    );
  }
  return [
    'Other ways than a click on Approve, the first turn of a thread:',
    '',
    '| fresh processes | requests | write units | read units | marks, apart |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ];
}
