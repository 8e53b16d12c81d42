/** Owns how one answer comes from the server, whole or streamed, until its end or its failure. What fails is a value, never thrown. */
import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { failureOf, refusesStreaming, type Failure } from './failure.ts';
import { Assembly } from './reply.ts';
import type { Watchdog } from './watchdog.ts';

export type Body = ChatCompletionCreateParamsNonStreaming;

/** Whom is asked; the key is masked in what a failure says. */
interface Server {
  readonly client: OpenAI;
  readonly apiKey: string;
}

/** What has come, and what went wrong with it, if anything did. */
interface Received {
  readonly assembly: Assembly;
  readonly trouble: Failure | null;
}

/** Asks for an answer that comes in one piece. */
export async function receiveWhole({ client, apiKey }: Server, body: Body, { signal }: Watchdog): Promise<Received> {
  const assembly = new Assembly();
  try {
    return { assembly, trouble: troubleWith(assembly.add(await client.chat.completions.create(body, { signal }))) };
  } catch (error) {
    return { assembly, trouble: failureOf(error, apiKey) };
  }
}

/** Asks for an answer that comes bit by bit; `heard` gets what there is after each of them. */
export async function receiveStream(
  { client, apiKey }: Server,
  body: Body,
  watchdog: Watchdog,
  heard: (assembly: Assembly) => void,
): Promise<Received | 'does_not_stream'> {
  const assembly = new Assembly();
  try {
    const { data: chunks, response } = await client.chat.completions
      .create({ ...body, stream: true, stream_options: { include_usage: true } }, { signal: watchdog.signal })
      .withResponse();
    if (isWhole(response)) return 'does_not_stream';
    for await (const chunk of chunks) {
      watchdog.heard();
      const trouble = troubleWith(assembly.add(chunk));
      if (trouble) return { assembly, trouble };
      heard(assembly);
    }
    return { assembly, trouble: null };
  } catch (error) {
    if (refusesStreaming(error)) return 'does_not_stream';
    return { assembly, trouble: failureOf(error, apiKey) };
  }
}

/** True for a server that was asked for a stream and sends one JSON object all the same. */
const isWhole = (response: Response): boolean =>
  (response.headers.get('content-type') ?? '').startsWith('application/json');

function troubleWith(added: ReturnType<Assembly['add']>): Failure | null {
  if (added === 'taken') return null;
  if (added === 'garbled') return { away: 'model_garbled' };
  return { refused: 'reply_too_long', detail: 'The reply is longer than 256 KB.' };
}
