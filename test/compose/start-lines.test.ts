import { describe, expect, it } from 'vitest';
import { startLines, stopped, stopping, type StartFacts } from '../../src/compose/start-lines.ts';

const bare: StartFacts = {
  version: '1.0.0',
  node: '24.21.0',
  slack: {
    embedded: true,
    what: 'workspace "Acme", 9 people',
    hint: 'set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one',
  },
  model: { embedded: true, what: 'demo model: rules, not an LLM', hint: 'set OPENAI_API_KEY for a real one' },
  table: { embedded: true, what: '.countersign/ on this disk', hint: 'set DYNAMODB_TABLE for a real one' },
  policy: 'countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask',
  agents: null,
  cards: null,
  waiting: { approvals: 0, questions: 0, inDoubt: 0 },
  notes: [],
  url: 'http://127.0.0.1:3000',
  servesPage: true,
  answersIn: '#general',
  hasApprovals: true,
};

const real: StartFacts = {
  ...bare,
  slack: { embedded: false, what: 'Acme (T0ACME), @countersign, Socket Mode, 1 connection', hint: '' },
  model: { embedded: false, what: 'gpt-5.2 at api.openai.com (chat completions)', hint: '' },
  table: { embedded: false, what: 'countersign-prod, eu-central-1, point-in-time recovery on', hint: '' },
  policy: 'countersign.yaml: 7 rules · 41 tools: 19 allowed, 21 ask, 1 denied',
  cards: '#approvals (private, 12 members) · operators #ops-alerts',
  waiting: { approvals: 3, questions: 1, inDoubt: 0 },
  servesPage: false,
};

describe('the lines at a start', () => {
  it('on a bare machine name each embedded part and what makes it real, then what to do', () => {
    expect(startLines(bare).join('\n')).toBe(`Countersign 1.0.0 · node 24.21.0

  Slack   embedded   workspace "Acme", 9 people        set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one
  Model   embedded   demo model: rules, not an LLM     set OPENAI_API_KEY for a real one
  Table   embedded   .countersign/ on this disk        set DYNAMODB_TABLE for a real one
  Policy  countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask

Open
http://127.0.0.1:3000
and write as Dana in #general:
  @Countersign run echo hello
  @Countersign 请执行命令 echo hello
  @Countersign list notes, delete notes/old.txt and write "hi" to hello.txt
then switch to Mia and decide in #approvals.

Ctrl-C stops; what waits, waits. In the terminal instead: npm run demo`);
  });

  it('invite to what this policy and this model can do', () => {
    const lines = startLines({ ...bare, model: real.model, hasApprovals: false });
    expect(lines).toContain('then switch to somebody who may decide, in the same thread.');
    expect(lines.join('\n')).not.toContain('echo hello');
  });

  it('with everything real name where cards go and what waits', () => {
    expect(startLines(real).join('\n')).toBe(`Countersign 1.0.0 · node 24.21.0

  Slack   real       Acme (T0ACME), @countersign, Socket Mode, 1 connection
  Model   real       gpt-5.2 at api.openai.com (chat completions)
  Table   real       countersign-prod, eu-central-1, point-in-time recovery on
  Policy  countersign.yaml: 7 rules · 41 tools: 19 allowed, 21 ask, 1 denied
  Cards   #approvals (private, 12 members) · operators #ops-alerts
  Waiting 3 approvals, 1 question, 0 in doubt
Ready. Health: http://127.0.0.1:3000/health`);
  });

  it('name the agents and where they listen when there are several', () => {
    const agents = 'planner: every channel, direct messages · writer: called by others';
    const lines = startLines({ ...bare, agents });
    expect(lines[lines.indexOf(`  Agents  ${agents}`) - 1]).toMatch(/^ {2}Policy/);
    expect(startLines(bare).join('\n')).not.toContain('Agents');
  });

  it('promise no command where the agent who answers may have no tool for it', () => {
    const lines = startLines({ ...bare, agents: 'planner: every channel · writer: called by others' });
    expect(lines).toContain('and write to @Countersign as Dana in #general,');
    expect(lines.join('\n')).not.toContain('echo hello');
  });

  it('name the place in which somebody listens, and promise nothing where nobody does', () => {
    expect(startLines({ ...bare, answersIn: 'a direct message' })).toContain('and write as Dana in a direct message:');
    const lines = startLines({ ...bare, answersIn: null }).join('\n');
    expect(lines).toContain('No agent listens to Dana in this workspace');
    expect(lines).not.toContain('write');
  });

  it('warn when real people would talk to the demo model', () => {
    expect(startLines({ ...real, model: bare.model })).toContain(
      '  Model   embedded   demo model: rules, not an LLM  ← real people will talk to it',
    );
  });

  it('with only the model real say so, and keep the page', () => {
    const lines = startLines({ ...bare, model: real.model });
    expect(lines).toContain('  Model   real       gpt-5.2 at api.openai.com (chat completions)');
    expect(lines).toContain('  Table   embedded   .countersign/ on this disk        set DYNAMODB_TABLE for a real one');
    expect(lines).toContain('http://127.0.0.1:3000');
  });

  it('name what waits in the embedded workspace only when something does', () => {
    expect(startLines(bare).join('\n')).not.toContain('Waiting');
    const waiting = { approvals: 1, questions: 0, inDoubt: 2 };
    expect(startLines({ ...bare, waiting })).toContain('  Waiting 1 approval, 0 questions, 2 in doubt');
  });

  it('keep two spaces before a hint, however long the line, and give each note its own', () => {
    const table = { ...bare.table, what: '/var/lib/countersign/data/of/this/machine/ on this disk' };
    const lines = startLines({ ...bare, table, notes: ['First.', 'Second.'] });
    expect(lines).toContain(
      '  Table   embedded   /var/lib/countersign/data/of/this/machine/ on this disk  set DYNAMODB_TABLE for a real one',
    );
    expect(lines).toContain('  Note    First.');
    expect(lines).toContain('  Note    Second.');
  });
});

describe('the line at a stop', () => {
  const none = { approvals: 0, questions: 0, inDoubt: 0 };

  it('names running tools and what goes on later', () => {
    expect(stopping(1, 25_000) + stopped({ ...none, approvals: 3 })).toBe(
      'Stopping: 1 tool running, waiting up to 25 s … done. 3 approvals wait; they go on at the next start.',
    );
  });

  it('is short when nothing runs and nothing waits', () => {
    expect(stopping(0, 25_000) + stopped(none)).toBe('Stopping … done. Nothing waits.');
  });

  it('counts one as one, and calls in doubt beside what waits', () => {
    expect(stopped({ ...none, approvals: 1 })).toBe(' done. 1 approval waits; it goes on at the next start.');
    expect(stopped({ approvals: 2, questions: 0, inDoubt: 1 })).toBe(
      ' done. 2 approvals wait, 1 call is in doubt; they go on at the next start.',
    );
  });

  it('promises no number that could not be read', () => {
    expect(stopped(null)).toBe(' done. What waits, waits; it goes on at the next start.');
  });
});
