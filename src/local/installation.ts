/**
 * The app as it is installed in the workspace: what its manifest asks for is what it gets, no more. So a scope, event or
 * command that is missing from `manifest.yml` is missing here too, and not only in somebody's real Slack.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isList, isObject, objectIn, objectsIn, textIn } from './json.ts';
import type { JsonObject } from './json.ts';

export interface Installation {
  readonly scopes: ReadonlySet<string>;
  /** Event subscriptions by their names in the manifest, e.g. `message.channels`. */
  readonly events: ReadonlySet<string>;
  /** Slash commands with their slash. */
  readonly commands: readonly string[];
  readonly homeTab: boolean;
}

/** Reads what a manifest (YAML or JSON) asks for; what is absent is not granted. Throws if it is not a manifest. */
export function installationOf(manifest: string): Installation {
  const read: unknown = parse(manifest);
  if (!isObject(read)) throw new Error('The app manifest is not a manifest.');
  const features = objectIn(read, 'features');
  const subscriptions = objectIn(objectIn(read, 'settings'), 'event_subscriptions');
  const commands = objectsIn(features?.['slash_commands']).flatMap(one => textIn(one, 'command') ?? []);
  return {
    scopes: namesIn(objectIn(objectIn(read, 'oauth_config'), 'scopes'), 'bot'),
    events: namesIn(subscriptions, 'bot_events'),
    commands,
    homeTab: objectIn(features, 'app_home')?.['home_tab_enabled'] === true,
  };
}

/** The app as this version of the software describes it in its own manifest. */
export function ownInstallation(): Installation {
  return installationOf(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'));
}

function namesIn(object: JsonObject | undefined, key: string): ReadonlySet<string> {
  const names = object?.[key];
  return new Set(isList(names) ? names.filter(name => typeof name === 'string') : []);
}

/** The name under which an app subscribes to an event. */
export function subscriptionFor(event: JsonObject): string {
  const type = textIn(event, 'type') ?? '';
  if (type !== 'message') return type;
  const kinds: Readonly<Record<string, string>> = { im: 'im', group: 'groups', channel: 'channels' };
  return `message.${kinds[textIn(event, 'channel_type') ?? ''] ?? 'channels'}`;
}
