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
  readonly commands: readonly SlashCommand[];
  /** Those that stand in a message's menu. */
  readonly shortcuts: readonly MessageShortcut[];
  readonly homeTab: boolean;
  /** What the manifest suggests to write in a direct message; the app may suggest something else there. */
  readonly prompts: readonly Prompt[];
}

interface SlashCommand {
  /** With its slash. */
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
  /** Mentions in the text arrive as `<@U…|name>` and `<#C…|name>`. */
  readonly shouldEscape: boolean;
}

interface MessageShortcut {
  readonly name: string;
  readonly callbackId: string;
  readonly description: string;
}

interface Prompt {
  readonly title: string;
  readonly message: string;
}

/** Reads what a manifest (YAML or JSON) asks for; what is absent is not granted. Throws if it is not a manifest. */
export function installationOf(manifest: string): Installation {
  const read: unknown = parse(manifest);
  if (!isObject(read)) throw new Error('The app manifest is not a manifest.');
  const features = objectIn(read, 'features');
  const subscriptions = objectIn(objectIn(read, 'settings'), 'event_subscriptions');
  return {
    scopes: namesIn(objectIn(objectIn(read, 'oauth_config'), 'scopes'), 'bot'),
    events: namesIn(subscriptions, 'bot_events'),
    commands: objectsIn(features?.['slash_commands']).map(slashCommand),
    shortcuts: objectsIn(features?.['shortcuts'])
      .filter(one => one['type'] === 'message')
      .map(messageShortcut),
    homeTab: objectIn(features, 'app_home')?.['home_tab_enabled'] === true,
    prompts: objectsIn(objectIn(features, 'agent_view')?.['suggested_prompts']).map(one => ({
      title: textIn(one, 'title') ?? '',
      message: textIn(one, 'message') ?? '',
    })),
  };
}

function slashCommand(one: JsonObject): SlashCommand {
  return {
    command: textIn(one, 'command') ?? '',
    description: textIn(one, 'description') ?? '',
    usageHint: textIn(one, 'usage_hint') ?? '',
    shouldEscape: one['should_escape'] === true,
  };
}

function messageShortcut(one: JsonObject): MessageShortcut {
  return {
    name: textIn(one, 'name') ?? '',
    callbackId: textIn(one, 'callback_id') ?? '',
    description: textIn(one, 'description') ?? '',
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
