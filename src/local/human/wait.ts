/** Asks the app something that a person waits for, and does not wait for ever. */
import { HttpRefusal } from '../http.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { EnvelopeType } from '../workspace/deliveries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { APP } from '../world.ts';

/** Sends a form or command and resolves with what the app's acknowledgement carries. Refuses with 504 when none comes in time; the request is then taken back. */
export function askApp(workspace: Workspace, type: EnvelopeType, payload: JsonObject): Promise<Json | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
  const silence = (): void =>
    reject(new HttpRefusal(504, `${APP.name} did not answer in time. Nothing you wrote is lost; try again.`));
  const number = workspace.deliveries.add(type, payload, answer => {
    stopTimer();
    if (answer.kind === 'acknowledged') resolve(answer.payload);
    else silence();
  });
  const stopTimer = workspace.clock.after(limits.delivery.formAnswerMs, () => {
    workspace.deliveries.withdraw(number);
    silence();
  });
  return promise;
}
