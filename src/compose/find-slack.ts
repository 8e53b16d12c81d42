/** Owns which Slack a command asks: the configured one, else the embedded workspace of a process that runs here. */
import type { Environment } from '../config/environment.ts';
import { toldAddresses } from './running-here.ts';
import { embeddedAt, slackPlace, type SlackPlace } from './slack-side.ts';

/** Null where there is none to ask. */
export function findSlack(environment: Environment): SlackPlace | null {
  const { workspace } = toldAddresses(environment.dataFolder);
  return slackPlace(environment) ?? (workspace === null ? null : embeddedAt(workspace));
}
