/**
 * Owns which tools there are: those of this house for files, commands and people, the agents of the policy, and those that a
 * composition root adds.
 */
import type { Agent, Clock } from '../worker/ports.ts';
import { agentTools } from './agents/agent-tools.ts';
import { executeTool } from './command/execute.ts';
import type { Tool } from './define.ts';
import { deleteFile } from './files/delete.ts';
import { createJail } from './files/jail.ts';
import { listFiles, readFile } from './files/read.ts';
import { writeFile } from './files/write.ts';
import { askApprovers } from './people/ask-approvers.ts';
import { askUser } from './people/ask-user.ts';
import { createRegistry, type ToolRegistry } from './registry.ts';
import { words, type Language } from './words.ts';

export interface ToolsOptions {
  /** The folder that the tools work in; it must be there. */
  readonly projectRoot: string;
  /** Of summaries, impacts and results. */
  readonly language: Language;
  readonly clock: Clock;
  /** Further tools, made with `defineTool`. */
  readonly tools?: readonly Tool[];
  /** The agents of the policy; they decide who has which tool, and are tools of each other. Without them all have all. */
  readonly agents?: readonly Agent[];
}

/** Makes the `Tools` port. Throws an Error with a sentence when the project folder is missing or two tools have one name. */
export function createTools({ projectRoot, language, clock, tools = [], agents }: ToolsOptions): ToolRegistry {
  const say = words[language];
  const jail = createJail(projectRoot, say);
  const own = [
    executeTool({ jail, say, clock }),
    listFiles(jail, say),
    readFile(jail, say),
    writeFile(jail, say),
    deleteFile(jail, say),
    askUser(say),
    askApprovers(say),
    ...agentTools(agents ?? [], say),
  ];
  const find = agents && ((name: string) => agents.find(agent => agent.name === name));
  return createRegistry([...own, ...tools], language, clock, find);
}
