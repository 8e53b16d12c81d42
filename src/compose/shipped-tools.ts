/** Owns the tools of this house and the agents of the policy as commands see them, which ask about tools and run none. */
import { createTools } from '../tools/create-tools.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import type { Tools } from '../worker/ports.ts';
import { systemClock } from './clock.ts';

/** Every tool's facts and definition; the folder that they would work in does not matter. */
export const shippedTools = ({
  language,
  agents,
}: Pick<PolicyFile, 'language' | 'agents'>): Pick<Tools, 'facts' | 'definitions'> =>
  createTools({ projectRoot: '.', language, clock: systemClock, agents });
