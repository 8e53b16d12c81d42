/** Owns what is said of a call that waits from inside: for an answer, a review, a request of its own, or another agent. */
import { at, rootOf, type Question } from '../../thread/thread.ts';
import { listed, scopeNames, somebody, type Pen } from './context.ts';
import type { Of } from './face.ts';
import { ROOM } from './limits.ts';
import { joined, type Line } from './line.ts';
import { approvedBy } from './outcome-lines.ts';
import { what, type Scene } from './scene.ts';

type Suspended = Of<'suspended'>;

/** Whom a question is for: people by name, experts by the words for them. */
export function asked(scene: Pick<Scene, 'pen' | 'thread' | 'run'>, question: Question): Line {
  const { pen, thread, run } = scene;
  const people = question.to.map(user => [somebody(pen, thread, rootOf(thread, run), user)]);
  const scopes = question.scopes.length === 0 ? [] : [scopeNames(pen, question.scopes)];
  const all = [...people, ...scopes];
  return all.length === 0 ? [...pen.texts.people.anybody] : listed(pen, all, 'or', ROOM.people);
}

const questionOf = ({ thread }: Scene, { wait }: Suspended): Question | undefined =>
  wait.on === 'question' ? at(thread.questions, wait.id) : undefined;

/** ⏳ while people have to do something, ▶️ while another agent is at work. */
export const suspendedSign = (scene: Scene): string =>
  scene.outcome.is === 'suspended' && scene.outcome.wait.on === 'run' ? '▶️' : '⏳';

/** What its card says, and who approved the call that waits. */
export function suspendedCard(outcome: Suspended, scene: Scene): Line[] {
  const texts = scene.pen.texts.card.suspendedOn;
  const since = scene.clock.at(outcome.sinceMs);
  const question = questionOf(scene, outcome);
  const line =
    question !== undefined
      ? texts[question.kind === 'review' ? 'review' : 'answer'](asked(scene, question), since)
      : outcome.wait.on === 'run'
        ? texts.agent(since)
        : texts.request(since);
  return [line, ...approvedBy(scene)];
}

/** Its row in the thread. */
export function suspendedRow(outcome: Suspended, scene: Scene): Line {
  const texts = scene.pen.texts.row.suspendedOn;
  const question = questionOf(scene, outcome);
  if (question !== undefined)
    return texts[question.kind === 'review' ? 'review' : 'answer'](what(scene), asked(scene, question));
  return outcome.wait.on === 'run' ? texts.agent(what(scene)) : texts.request(what(scene));
}

/** Mentions of everybody who may answer, for the first posting. */
export const ringsOf = (pen: Pen, question: Question): Line =>
  joined(
    [
      ...question.to.map((id): Line => [{ is: 'person', id, first: pen.texts.people.requester }]),
      ...question.scopes.flatMap(scope => [
        ...scope.groups.map((id): Line => [{ is: 'group', id }]),
        ...scope.users.map((id): Line => [{ is: 'person', id, first: pen.texts.people.decider }]),
      ]),
    ].slice(0, ROOM.people),
    ' ',
  );
