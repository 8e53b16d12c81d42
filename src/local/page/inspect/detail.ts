/** Owns what is shown of the selected commit: its chain, its events with facts and bodies, and the fold behind it. */
import { ActionError, api } from '../api.ts';
import { compare, unchanged, type Part } from '../text/changed.ts';
import { exactNear, spanOf } from '../text/spans.ts';
import { html, useEffect, useState, type VNode } from '../ui.ts';
import type { Folds, LogCommit } from '../wire.ts';
import { drawTree } from './tree.ts';

interface DetailProps {
  channel: string;
  thread: string;
  commit: LogCommit;
}

/** The selected commit. */
export function CommitDetail({ channel, thread, commit }: DetailProps): VNode {
  const [folds, setFolds] = useState<Folds>();
  const [problem, setProblem] = useState<string>();
  const [onlyChanged, setOnlyChanged] = useState(true);
  useEffect(() => {
    let wanted = true;
    setProblem(undefined);
    api.folds(channel, thread, commit.number).then(
      read => wanted && setFolds(read),
      (error: unknown) => wanted && setProblem(error instanceof ActionError ? error.message : String(error)),
    );
    return () => void (wanted = false);
  }, [channel, thread, commit.number]);
  return html`<div class="detail" tabindex="0" role="region" aria-label=${`Commit ${commit.number}`}>
    <h3>Commit #${commit.number}</h3>
    ${drawChain(commit)}
    <h4>Events</h4>
    ${commit.events.map(event => {
      return html`<section class="detail-event">
        <p><code>${event.type}</code> ${event.words}</p>
        ${drawFold('Facts, kept for ever', event.facts)}
        ${event.body !== null && drawFold('Body, can be erased', event.body)}
        ${event.body === null && html`<p class="tree-empty">The body has been erased; the chain still verifies.</p>`}
      </section>`;
    })}
    <div class="detail-title">
      <h4>The thread behind it</h4>
      <label class="choice">
        <input type="checkbox" checked=${onlyChanged} onChange=${() => setOnlyChanged(!onlyChanged)} /> Only what
        changed
      </label>
    </div>
    ${problem && html`<p class="form-refused" role="alert">${problem}</p>`}
    ${folds && html`<div key=${`${folds.number}/${onlyChanged}`}>${drawTree(comparedFolds(folds), onlyChanged)}</div>`}
  </div>`;
}

/** What people care for comes first, the head and the lease last. */
const FIRST = ['current', 'runs', 'calls', 'approvals', 'questions', 'grants', 'messages', 'queue'];
const LAST = ['posts', 'lease', 'rests', 'head'];

function comparedFolds({ before, after }: Folds): Part {
  const whole = compare('thread', before, after);
  const rank = ({ key }: Part): number => {
    const [first, last] = [FIRST.indexOf(key), LAST.indexOf(key)];
    return first >= 0 ? first - FIRST.length : last + 1;
  };
  return { ...whole, parts: whole.parts?.toSorted((one, other) => rank(one) - rank(other)) };
}

function drawFold(title: string, value: LogCommit['events'][number]['facts']): VNode {
  return html`<details class="detail-part">
    <summary>${title}</summary>
    ${drawTree(unchanged('', value), false)}
  </details>`;
}

function drawChain(commit: LogCommit): VNode {
  const { lease, digest } = { lease: commit.lease, digest: commit.events.find(event => event.digest)?.digest };
  const rows: [string, string | undefined, string?][] = [
    ['Written', new Date(commit.at_ms).toISOString()],
    ['Writer', `${commit.writer}, version ${commit.version} of the events`],
    ['Hash', short(commit.hash), commit.hash],
    ['Before it', commit.previous === '' ? 'nothing: the first commit' : short(commit.previous), commit.previous],
    ['Body digest', short(commit.body_digest), commit.body_digest],
    ['Bound digest', digest ? short(digest) : undefined, digest ?? ''],
    ['Nonce', short(commit.nonce), commit.nonce],
    [
      'Lease',
      lease === null
        ? 'nobody holds it'
        : `${lease.holder}, ${spanOf(lease.length_ms)} long, until ${exactNear(lease.until_ms, commit.at_ms)}`,
    ],
    [
      'Next look',
      commit.next_look_ms === null
        ? 'only people can bring it on'
        : `by ${exactNear(commit.next_look_ms, commit.at_ms)}`,
    ],
    [
      'Wake entry',
      commit.entry_due_ms === null
        ? 'none of this commit stands'
        : `stands, due ${exactNear(commit.entry_due_ms, commit.at_ms)}`,
    ],
  ];
  return html`<dl class="chain">
    ${rows.map(
      ([name, text, title]) =>
        text !== undefined &&
        html`<div>
          <dt>${name}</dt>
          <dd title=${title}>${text}</dd>
        </div>`,
    )}
  </dl>`;
}

const short = (hash: string): string => (hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash);
