/** A client whose requests a test can watch and let go wrong; what it sends reaches the real endpoint. */
import { PutItemCommand, UpdateItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PutItemCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../src/store/requests.ts';
import { HandClock } from './hand-clock.ts';

/** What the caller sees: an error of the server, a throttle, a broken connection, or nothing until time runs out. */
export const KINDS = ['error', 'throttle', 'broken', 'silence'] as const;
export type Kind = (typeof KINDS)[number];
/** What became of the request: nothing, done at once, or done when `settleLate` is called. */
export const FATES = ['lost', 'applied', 'later'] as const;
export type Fate = (typeof FATES)[number];

interface Request {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface FaultClient {
  readonly client: DynamoDBClient;
  /** Silence moves it on, so that a time-out is reached. */
  readonly clock: HandClock;
  readonly requests: Request[];
  /** Lets the request with this index (from 0) go wrong. */
  fail(index: number, kind: Kind, fate: Fate): void;
  /** Lets every request from now on go wrong, until `mend`. */
  failAll(kind: Kind): void;
  mend(): void;
  /** Answers a command without sending it. */
  pretend(command: string, answer: object): void;
  /** Lets a command be refused by the service, so many times. */
  refuse(command: string, name: string, times?: number): void;
  /** Delivers what was held back; what fails then, fails unseen. */
  settleLate(): Promise<void>;
}

class ServiceError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, httpStatusCode: number) {
    super(`${name} by the test.`);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

const ERRORS: Record<Exclude<Kind, 'silence'>, () => Error> = {
  error: () => new ServiceError('InternalServerError', 500),
  throttle: () => new ServiceError('ThrottlingException', 400),
  broken: () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
};

/** Makes one against an endpoint, with a clock of its own. */
export function faultClient(endpoint: string): FaultClient {
  const clock = new HandClock();
  const local = { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const [client, plain] = [dynamoClient(local), dynamoClient(local)];
  const requests: Request[] = [];
  const planned = new Map<number, { kind: Kind; fate: Fate }>();
  const answers = new Map<string, object>();
  const refusals = new Map<string, { name: string; times: number }>();
  const late: (() => Promise<unknown>)[] = [];
  let always: { kind: Kind; fate: Fate } | undefined;

  const end = async (kind: Kind): Promise<never> => {
    if (kind !== 'silence') throw ERRORS[kind]();
    setImmediate(() => clock.advance(2000));
    return new Promise<never>(() => undefined);
  };
  const holdBack = ({ command, input }: Request): void => {
    if (command === 'PutItemCommand')
      late.push(() => plain.send(new PutItemCommand(input as unknown as PutItemCommandInput)));
    if (command === 'UpdateItemCommand') {
      late.push(() => plain.send(new UpdateItemCommand(input as unknown as UpdateItemCommandInput)));
    }
  };

  client.middlewareStack.add(
    (next, context) => async args => {
      const request = { command: String(context['commandName']), input: args.input as Record<string, unknown> };
      requests.push(request);
      const refusal = refusals.get(request.command);
      if (refusal && refusal.times-- > 0) throw new ServiceError(refusal.name, 400);
      const pretended = answers.get(request.command);
      if (pretended) return { output: { $metadata: {}, ...pretended }, response: {} };
      const fault = always ?? planned.get(requests.length - 1);
      if (!fault) return next(args);
      if (fault.fate === 'applied') await next(args);
      if (fault.fate === 'later') holdBack(request);
      return end(fault.kind);
    },
    { step: 'initialize', name: 'faults' },
  );
  return {
    client,
    clock,
    requests,
    fail: (index, kind, fate) => planned.set(index, { kind, fate }),
    failAll: kind => (always = { kind, fate: 'lost' }),
    mend: () => (always = undefined),
    pretend: (command, answer) => answers.set(command, answer),
    refuse: (command, name, times = Infinity) => refusals.set(command, { name, times }),
    async settleLate() {
      await Promise.allSettled(late.splice(0).map(deliver => deliver()));
    },
  };
}
