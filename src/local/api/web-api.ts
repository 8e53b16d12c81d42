/** `/api/*`: takes a call of the Web API, checks its token, carries it out and answers as Slack does: 200 and `ok`, whatever happened. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, Faults } from '../faults.ts';
import { answerJson, readFields } from '../http.ts';
import { textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Limiter } from '../rates.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../world.ts';
import { Call, Refusal } from './call.ts';
import { METHODS, OPEN_SOCKET } from './methods.ts';
import { neededScopes } from './scopes.ts';

/** A finished call, for whoever wants to count or watch. */
export interface CallRecord {
  readonly method: string;
  readonly fields: JsonObject;
  readonly answer: JsonObject;
}

export interface WebApiParts {
  readonly workspace: Workspace;
  readonly faults: Faults;
  readonly url: () => string;
  /** A fresh address for a socket connection. */
  readonly openSocket: () => string;
  readonly log: (line: string) => void;
  readonly limiter?: Limiter | undefined;
  readonly onCall?: ((record: CallRecord) => void) | undefined;
}

export class WebApi {
  readonly #parts: WebApiParts;

  constructor(parts: WebApiParts) {
    this.#parts = parts;
  }

  /** Answers one request for `/api/<method>`. */
  async handle(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = await readFields(request);
    const fault = this.#parts.faults.take(method);
    if (fault?.kind === 'held') await fault.until;
    if (fault && failsBefore(fault, response)) return;
    const waitS = this.#parts.limiter?.(method, fields, this.#parts.workspace.clock.nowMs());
    if (waitS !== undefined) return answerLimited(response, waitS);
    const answer = this.#carryOut(method, fields, request.headers.authorization);
    this.#parts.onCall?.({ method, fields, answer });
    if (fault?.kind === 'applied_dropped') response.destroy();
    else if (fault?.kind === 'applied_status') answerJson(response, fault.status, {});
    else
      answerJson(response, 200, answer, { 'x-oauth-scopes': [...this.#parts.workspace.installation.scopes].join(',') });
  }

  #carryOut(method: string, fields: JsonObject, authorization: string | undefined): JsonObject {
    const { workspace, log } = this.#parts;
    try {
      refuseToken(method, authorization?.replace(/^Bearer /i, '') ?? textIn(fields, 'token'));
      if (method === OPEN_SOCKET) return { ok: true, url: this.#parts.openSocket() };
      const carryOut = METHODS.get(method);
      if (!carryOut) throw new Refusal('unknown_method');
      const call = new Call(method, workspace, this.#parts.url(), fields);
      refuseScope(call);
      return workspace.storage.transaction(() => ({ ok: true, ...carryOut(call) }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'unknown_method') log(`The app called ${method}, which the embedded workspace does not know.`);
      return { ok: false, error: error.code, ...error.details };
    }
  }
}

function answerLimited(response: ServerResponse, retryAfterS: number): void {
  answerJson(response, 429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(retryAfterS) });
}

/** Answers in place of the call, if the fault says that it must not happen. */
function failsBefore(fault: Fault, response: ServerResponse): boolean {
  if (fault.kind === 'rate_limited') answerLimited(response, fault.retryAfterS);
  else if (fault.kind === 'refused') answerJson(response, 200, { ok: false, error: fault.code });
  else if (fault.kind === 'status') answerJson(response, fault.status, {});
  else if (fault.kind === 'dropped') response.destroy();
  else return false;
  return true;
}

function refuseScope(call: Call): void {
  const { scopes } = call.workspace.installation;
  const missing = neededScopes(call).filter(scope => !scopes.has(scope));
  if (missing.length === 0) return;
  throw new Refusal('missing_scope', [], { needed: missing.join(','), provided: [...scopes].join(',') });
}

function refuseToken(method: string, token: string | undefined): void {
  if (token === undefined || token === '') throw new Refusal('not_authed');
  if (token !== EMBEDDED_BOT_TOKEN && token !== EMBEDDED_APP_TOKEN) throw new Refusal('invalid_auth');
  const needed = method === OPEN_SOCKET ? EMBEDDED_APP_TOKEN : EMBEDDED_BOT_TOKEN;
  if (token !== needed) throw new Refusal('not_allowed_token_type');
}
