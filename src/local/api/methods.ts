/** All methods of the Web API that this workspace answers. */
import { agents } from './agents.ts';
import type { Method } from './call.ts';
import { chat } from './chat.ts';
import { conversations } from './conversations.ts';
import { files } from './files.ts';
import { people } from './people.ts';
import { streams } from './streams.ts';
import { views } from './views.ts';

export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...people, ...chat, ...streams, ...views, ...conversations, ...agents, ...files }),
);

/** Needs the app token, and answers with the address of the socket; `web-api.ts` carries it out. */
export const OPEN_SOCKET = 'apps.connections.open';
