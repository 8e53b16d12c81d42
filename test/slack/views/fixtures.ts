/** Small builders of folded threads for the views: one request of Dana's, in whatever state a test needs. */
import type { Frozen, WorkspaceEvidence } from '../../../src/thread/evidence.ts';
import type { Option, Scope, Terms } from '../../../src/thread/events.ts';
import {
  approvalId,
  callId,
  executionId,
  questionId,
  type ChannelId,
  type Digest,
  type MessageTs,
  type RunId,
  type TeamId,
  type ThreadKey,
  type UserId,
  type WriterId,
} from '../../../src/thread/ids.ts';
import {
  begunRun,
  emptyThread,
  proposedCall,
  type Approval,
  type Call,
  type CallState,
  type Claim,
  type Ending,
  type Judgement,
  type Message,
  type Post,
  type Question,
  type Run,
  type Thread,
  type Vote,
} from '../../../src/thread/thread.ts';
import type { RenderContext } from '../../../src/slack/views/context.ts';

/** The value, which this test knows to be there. */
export function need<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('The fixture lacks what this test needs.');
  return value;
}

export const ids = {
  team: 'T0ACME001' as TeamId,
  dana: 'U0DANA001' as UserId,
  mia: 'U0MIA0001' as UserId,
  leo: 'U0LEO0001' as UserId,
  ana: 'U0ANA0001' as UserId,
  bot: 'U0BOT0001' as UserId,
  ops: 'C0OPS0001' as ChannelId,
  approvals: 'C0APPROV1' as ChannelId,
  operators: 'C0OPSALRT' as ChannelId,
  direct: 'D0DANA001' as ChannelId,
  root: '1796044931.000100' as MessageTs,
  run: 'r1' as RunId,
};

/** 2026-11-30 at this UTC time. */
export const clock = (hours: number, minutes: number, seconds = 0): number =>
  Date.UTC(2026, 10, 30, hours, minutes, seconds);

export const opsThread: ThreadKey = { team: ids.team, channel: ids.ops, ts: ids.root };
export const directThread: ThreadKey = { team: ids.team, channel: ids.direct, ts: ids.root };

export const sre: Scope = { name: 'sre', label: 'SRE', users: [], groups: ['S0SRE0001'] };
const leads: Scope = { name: 'leads', label: 'Leads', users: [], groups: ['S0LEADS01'] };

export const context: RenderContext = {
  language: 'en',
  environment: 'production',
  approvals: ids.approvals,
  operators: ids.operators,
  botUser: ids.bot,
  defaults: { scopes: [sre], channel: null },
  secretsKey: 'a key of the tests',
  argumentOrder: tool => (tool === 'k8s.scale' ? ['namespace', 'deployment', 'replicas'] : []),
  isPrivate: () => false,
};

export const terms: Terms = {
  ladder: [{ afterMs: 0, scopes: [sre, leads] }],
  quorum: 2,
  expiresInMs: 7_200_000,
  remindMs: [],
  notify: sre,
  confirm: true,
  edit: [],
  onReject: 'replan',
  selfApproval: 'never',
  channel: null,
};

const digest = (sign: string): Digest => sign.repeat(64).slice(0, 64) as Digest;

export const message = (over: Partial<Message> = {}): Message => ({
  ts: ids.root,
  channel: ids.ops,
  author: ids.dana,
  name: 'Dana Ito',
  text: `<@${ids.bot}> billing costs too much at night, halve it please`,
  atMs: clock(14, 2),
  direct: false,
  mention: true,
  editedAtMs: null,
  deleted: false,
  run: ids.run,
  meanwhile: null,
  kept: false,
  ...over,
});

const aRun = (over: Partial<Run> = {}): Run => ({
  ...begunRun({
    id: ids.run,
    agent: 'main',
    requesters: [ids.dana],
    messages: [ids.root],
    startedAtMs: clock(14, 2),
    repeats: null,
    within: null,
    task: null,
  }),
  turn: 1,
  tokens: 900,
  ...over,
});

export const judgement = (over: Partial<Judgement> = {}): Judgement => ({
  verdict: 'ask',
  rule: 'prod-scale-down',
  ruleDigest: digest('a'),
  policy: digest('b'),
  tool: digest('c'),
  effect: 'write',
  callDigest: digest('d'),
  summary: 'Scale billing in production from 6 to 2 replicas',
  impact: null,
  why: null,
  bind: {},
  note: {},
  grant: null,
  ...over,
});

export const aCall = (index: number, over: Partial<Call> = {}): Call => ({
  ...proposedCall({
    id: callId(opsThread, ids.run, 1, index),
    run: ids.run,
    turn: 1,
    tool: 'k8s.scale',
    args: { deployment: 'billing', namespace: 'production', replicas: 2 },
    raw: null,
  }),
  state: { is: 'waiting' },
  judgement: judgement(),
  ...over,
});

export const anApproval = (call: Call, over: Partial<Approval> = {}): Approval => ({
  id: approvalId(opsThread, call.run, call.id),
  call: call.id,
  run: call.run,
  round: 1,
  card: 1,
  cardRound: 1,
  digest: digest('9c1f'),
  callDigest: digest('d'),
  rule: 'prod-scale-down',
  ruleDigest: digest('a'),
  tool: digest('c'),
  terms,
  requesters: [ids.dana],
  eligible: 7,
  requestedAtMs: clock(14, 2),
  expiresAtMs: clock(16, 5),
  risk: 'high',
  room: 'card',
  summary: 'Scale billing in production from 6 to 2 replicas',
  impact: 'production serves customers. Fewer replicas mean slower answers until it is scaled back.',
  why: 'Fewer replicas in production can drop customer traffic.',
  agentWords: 'Saves about 40 % at night.',
  salt: 'salt',
  bind: { replicas: 6 },
  note: { healthy: 6 },
  noteAtMs: clock(14, 2),
  changes: [],
  votes: [],
  state: { is: 'open' },
  closedCards: [],
  reasks: 0,
  meanwhile: [],
  editedBy: null,
  options: [],
  reminders: [],
  escalations: [],
  inquiries: [],
  ...over,
});

/** A message that is on record: posted in #approvals. */
export const aPost = (key: string, over: Partial<Post> = {}): Post => ({
  key,
  channel: ids.approvals,
  ts: '1796045001.000100' as MessageTs,
  hash: 'h',
  state: 'posted',
  code: null,
  atMs: clock(14, 3),
  ...over,
});

const vote = (by: UserId, name: string, atMs: number): Vote => ({
  by,
  name,
  verdict: 'approve',
  reason: null,
  atMs,
  scopes: ['sre'],
  option: null,
});
export const miaAndLeo = [vote(ids.mia, 'Mia Chen', clock(14, 3)), vote(ids.leo, 'Leo Park', clock(14, 5))];

export const claimOf = (call: Call, attempt = 1): Claim => ({
  execution: executionId(call.id, attempt),
  attempt,
  holder: 'node/1' as WriterId,
  atMs: clock(14, 5, 7),
  startByMs: clock(14, 5, 9),
  endsByMs: clock(14, 6, 9),
  workspace: 3,
  resumes: null,
});

export const ending = (call: Call, over: Partial<Ending> = {}): Ending => ({
  execution: executionId(call.id, 1),
  how: 'succeeded',
  code: null,
  effect: 'done',
  startedAtMs: clock(14, 5, 7),
  endedAtMs: clock(14, 5, 29),
  result: 'replicas 6 → 2',
  blob: null,
  ...over,
});

export interface Part {
  readonly call: Call;
  readonly approval?: Approval;
  readonly questions?: readonly Question[];
}

/** A question of the run, put to Dana unless the test says otherwise. */
export const aQuestion = (over: Partial<Question> = {}): Question => ({
  id: questionId(opsThread, callId(opsThread, ids.run, 1, 0), over.prompt ?? 'from'),
  run: ids.run,
  call: callId(opsThread, ids.run, 1, 0),
  about: null,
  kind: 'question',
  to: [ids.dana],
  scopes: [],
  channel: null,
  askedBy: null,
  prompt: 'From which city do you fly?',
  form: { type: 'text' },
  askedAtMs: clock(14, 3),
  expiresAtMs: clock(16, 5),
  state: { is: 'open' },
  wrong: null,
  asked: 0,
  message: null,
  ...over,
});

/** A thread with one live run and these calls in it. */
export function threadOf(parts: readonly Part[], over: Partial<Run> = {}, key: ThreadKey = opsThread): Thread {
  const thread = emptyThread(key);
  const calls = parts.map(part => part.call.id);
  const run = aRun({ turnCalls: calls, calls, ...over });
  thread.runs[run.id] = run;
  thread.runCount = 1;
  thread.live = [run.id];
  thread.current = run.end === null ? run.id : null;
  thread.messages[ids.root] = message({ channel: key.channel, direct: key.channel.startsWith('D') });
  for (const { call, approval, questions } of parts) {
    thread.calls[call.id] = { ...call, approval: approval?.id ?? call.approval };
    if (approval) thread.approvals[approval.id] = approval;
    for (const question of questions ?? []) {
      thread.questions[question.id] = question;
      if (question.state.is === 'open') thread.open.push(question.id);
    }
  }
  return thread;
}

/** The one request of the stories: its call in this state, its approval changed like this. */
export function request(
  state: CallState | ((call: Call) => CallState) = { is: 'waiting' },
  over: Partial<Approval> = {},
  callOver: Partial<Call> = {},
): Part {
  const blank = aCall(0, callOver);
  const call = { ...blank, state: typeof state === 'function' ? state(blank) : state };
  return { call, approval: anApproval(call, over) };
}

export const approvedBy = { votes: miaAndLeo, state: { is: 'approved', option: null, atMs: clock(14, 5) } } as const;

export const calm: WorkspaceEvidence = { version: 1, frozen: null };
export const frozenBy: Frozen = { by: ids.ana, name: 'Ana Ruiz', why: 'bad deploy', sinceMs: clock(14, 10) };
export const frozen: WorkspaceEvidence = { version: 2, frozen: frozenBy };

/** So many ways of a choice. */
export const ways = (count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `version ${index} (<!here> & all)` }));

const editedBy: Approval['editedBy'] = {
  by: ids.mia,
  name: 'Mia Chen',
  was: { deployment: 'billing', namespace: 'production', replicas: 2 },
};
const stoppedBy: Call['stopped'] = {
  by: ids.mia,
  name: 'Mia Chen',
  execution: executionId(aCall(0).id, 1),
  atMs: clock(14, 6),
};
const ladder: Partial<Approval> = {
  terms: {
    ...terms,
    ladder: [
      { afterMs: 0, scopes: [sre] },
      { afterMs: 3_600_000, scopes: [leads] },
    ],
    remindMs: [1_800_000],
  },
  reminders: [{ n: 1, round: 1, atMs: clock(14, 32) }],
  escalations: [{ step: 1, round: 1, atMs: clock(15, 2) }],
};

/** What Mia asked before deciding, and Dana's answer. */
export const inquiry: Question = aQuestion({
  call: null,
  about: approvalId(opsThread, ids.run, callId(opsThread, ids.run, 1, 0)),
  askedBy: { by: ids.mia, name: 'Mia Chen' },
  prompt: 'Which cluster?',
  state: { is: 'answered', by: ids.dana, name: 'Dana Ito', value: 'eu-1', atMs: clock(14, 8) },
});

const givenUp = (call: Call): CallState => ({
  is: 'settled',
  as: 'abandoned',
  by: ids.mia,
  name: 'Mia Chen',
  atMs: clock(14, 9),
  claim: claimOf(call),
});

/** Every state that a request's card can come to, by the name of its part in the reference of screens. */
export const cardStates: Readonly<Record<string, Part>> = {
  waiting: request(),
  'partly approved': request({ is: 'waiting' }, { votes: [vote(ids.mia, 'Mia Chen', clock(14, 3))] }),
  starting: request({ is: 'approved' }, approvedBy),
  running: request(call => ({ is: 'claimed', claim: claimOf(call) }), approvedBy),
  done: request(call => ({ is: 'ended', ending: ending(call) }), approvedBy),
  'failed, nothing done': request(
    call => ({
      is: 'ended',
      ending: ending(call, {
        how: 'failed',
        effect: 'none',
        code: 'refused',
        result: 'The cluster refused the connection.',
      }),
    }),
    approvedBy,
  ),
  'failed, effect possible': request(
    call => ({
      is: 'ended',
      ending: ending(call, {
        how: 'failed',
        effect: 'possible',
        code: 'exit_code',
        result: 'exit code 1\n1\n2\n3\n4\n5\nerror: conflict',
      }),
    }),
    approvedBy,
  ),
  'in doubt': request(
    call => ({
      is: 'in_doubt',
      claim: claimOf(call),
      sinceMs: clock(14, 5, 30),
      lastSign: { line: 'deployment patched', atMs: clock(14, 5, 9) },
    }),
    approvedBy,
    { attempts: 1 },
  ),
  'said done': request(
    call => ({ is: 'settled', as: 'ran', by: ids.mia, name: 'Mia Chen', atMs: clock(14, 9), claim: claimOf(call) }),
    approvedBy,
  ),
  'given up': request(givenUp, approvedBy),
  'given up, then heard of': request(givenUp, approvedBy, { contradiction: ending(aCall(0)) }),
  ...Object.fromEntries(
    (['replan', 'read_only', 'requester', 'stop'] as const).map(then => [
      `rejected, ${then}`,
      request(
        { is: 'closed' },
        {
          votes: [{ ...vote(ids.mia, 'Mia Chen', clock(14, 3)), verdict: 'reject', reason: 'Not during the sale.' }],
          state: {
            is: 'rejected',
            by: ids.mia,
            name: 'Mia Chen',
            reason: 'Not during the sale.',
            then,
            atMs: clock(14, 3),
          },
        },
      ),
    ]),
  ),
  'rejected without a reason': request(
    { is: 'closed' },
    {
      state: { is: 'rejected', by: ids.mia, name: 'Mia Chen', reason: null, then: 'replan', atMs: clock(14, 3) },
    },
  ),
  'approved by who asked': request(
    { is: 'approved' },
    {
      votes: [{ ...vote(ids.dana, 'Dana Ito', clock(14, 3)), reason: 'Nobody else is here tonight.' }],
      terms: { ...terms, quorum: 1, selfApproval: 'with_reason' },
      state: { is: 'approved', option: null, atMs: clock(14, 3) },
    },
  ),
  expired: request({ is: 'closed' }, { state: { is: 'expired', atMs: clock(16, 5, 2) } }),
  'expired after it was approved': request(
    { is: 'closed' },
    { votes: miaAndLeo, state: { is: 'expired', atMs: clock(16, 5, 2) } },
  ),
  withdrawn: request(
    { is: 'closed' },
    {
      state: { is: 'withdrawn', by: ids.dana, instead: false, atMs: clock(14, 4) },
    },
  ),
  'withdrawn for another': request(
    { is: 'closed' },
    {
      state: { is: 'withdrawn', by: ids.dana, instead: true, atMs: clock(14, 4) },
    },
  ),
  'withdrawn by the end of the run': request(
    { is: 'closed' },
    {
      state: { is: 'withdrawn', by: null, instead: false, atMs: clock(14, 4) },
    },
  ),
  'not run': request(
    { is: 'closed' },
    { votes: miaAndLeo, state: { is: 'refused', code: 'changed_too_often', detail: null, atMs: clock(14, 5) } },
  ),
  'not run, with a detail': request(
    { is: 'closed' },
    {
      votes: miaAndLeo,
      state: { is: 'refused', code: 'denied', detail: 'Dropping data is not done from Slack.', atMs: clock(14, 5) },
    },
  ),
  'asked again': request(
    { is: 'waiting' },
    {
      round: 2,
      card: 2,
      reasks: 1,
      bind: { replicas: 8 },
      summary: 'Scale billing in production from 8 to 2 replicas',
      changes: [{ fact: 'replicas', was: 6, is: 8 }],
      closedCards: [
        {
          card: 1,
          summary: 'Scale billing in production from 6 to 2 replicas',
          atMs: clock(14, 5),
          changes: [{ fact: 'replicas', was: 6, is: 8 }],
          votes: [vote(ids.mia, 'Mia Chen', clock(14, 3))],
          code: 'changed',
        },
      ],
    },
  ),
  'edited by an approver': request(
    { is: 'waiting' },
    { round: 2, editedBy, votes: [vote(ids.mia, 'Mia Chen', clock(14, 6))] },
    { args: { deployment: 'billing', namespace: 'production', replicas: 4 } },
  ),
  'edited, then done': request(
    call => ({ is: 'ended', ending: ending(call) }),
    { ...approvedBy, editedBy },
    { args: { deployment: 'billing', namespace: 'production', replicas: 4 } },
  ),
  'reminded and escalated': request({ is: 'waiting' }, ladder),
  'expired after reminders': request({ is: 'closed' }, { ...ladder, state: { is: 'expired', atMs: clock(16, 5, 2) } }),
  'everything on offer': request(
    { is: 'waiting' },
    {
      terms: {
        ...terms,
        edit: ['replicas'],
        selfApproval: 'with_reason',
        grants: { maxMs: 3_600_000, uses: 5, scope: 'thread', where: [] },
      },
    },
  ),
  'several ways': request(
    { is: 'waiting' },
    { summary: 'Roll billing back: to which version?', options: ways(3) },
    { options: ways(3) },
  ),
  'many ways': request({ is: 'waiting' }, { options: ways(30) }, { options: ways(30) }),
  'a way was chosen': request(
    call => ({ is: 'ended', ending: ending(call) }),
    { ...approvedBy, options: ways(3), state: { is: 'approved', option: 'v1', atMs: clock(14, 5) } },
    { options: ways(3) },
  ),
  'asked back': { ...request({ is: 'waiting' }, { inquiries: [inquiry.id] }), questions: [inquiry] },
  'being stopped': request(call => ({ is: 'claimed', claim: claimOf(call) }), approvedBy, { stopped: stoppedBy }),
  stopped: request(
    call => ({
      is: 'ended',
      ending: ending(call, { how: 'failed', effect: 'possible', code: 'stopped', result: 'half of it' }),
    }),
    approvedBy,
    { stopped: stoppedBy },
  ),
  'waiting for an answer': {
    ...request(
      call => ({
        is: 'suspended',
        claim: claimOf(call),
        name: 'from',
        wait: { on: 'question', id: aQuestion().id },
        sinceMs: clock(14, 6),
      }),
      approvedBy,
    ),
    questions: [aQuestion()],
  },
  'waiting for another agent': request(
    call => ({
      is: 'suspended',
      claim: claimOf(call),
      name: 'research',
      wait: { on: 'run', id: 'r2' as RunId },
      sinceMs: clock(14, 6),
    }),
    approvedBy,
  ),
  'in doubt, checked': request(
    call => ({ is: 'in_doubt', claim: claimOf(call), sinceMs: clock(14, 5, 30), lastSign: null }),
    approvedBy,
    { checked: { execution: executionId(aCall(0).id, 1), found: 'unknown', atMs: clock(14, 6) } },
  ),
  'in a file that is not there': request({ is: 'waiting' }, { room: 'file' }),
  'too few people are left': request(
    { is: 'waiting' },
    {
      eligible: 1,
      votes: [vote(ids.mia, 'Mia Chen', clock(14, 3))],
      lack: { code: 'quorum_impossible', fromMs: null },
    },
  ),
  'nobody is left': request({ is: 'waiting' }, { eligible: 0, lack: { code: 'no_approvers', fromMs: null } }),
  'too few people until Leads may decide': request(
    { is: 'waiting' },
    {
      ...ladder,
      reminders: [],
      escalations: [],
      eligible: 1,
      lack: { code: 'quorum_impossible', fromMs: clock(15, 2) },
    },
  ),
};

/** States in which nobody can act on the card any more. */
export const openStates: readonly string[] = [
  'waiting',
  'partly approved',
  'running',
  'in doubt',
  'asked again',
  'edited by an approver',
  'reminded and escalated',
  'everything on offer',
  'several ways',
  'many ways',
  'asked back',
  'in doubt, checked',
  'in a file that is not there',
  'too few people are left',
  'nobody is left',
  'too few people until Leads may decide',
];
