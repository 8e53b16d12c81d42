import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMAND } from '../../src/slack/inbound/commands.ts';
import { SHORTCUTS } from '../../src/slack/inbound/shortcuts.ts';
import { repositoryRoot, textOf } from '../support/repository.ts';

// Slack's schema is not ours to publish: it is read where it lies beside the repository.
const schemaPath = join(repositoryRoot, '../shared/schemas/slack-manifest.schema.2.0.0.json');
const schemaIsThere = existsSync(schemaPath);
const withoutSchema = schemaIsThere ? '' : ' (skipped: no schema beside the repository)';

const socketMode = textOf('manifest.yml');

interface Manifest {
  readonly oauth_config: { readonly scopes: { readonly bot: string[] } };
  readonly settings: {
    readonly event_subscriptions: { readonly bot_events: string[] };
    readonly socket_mode_enabled: boolean;
  };
}

function problemsOf(manifest: unknown): unknown[] {
  // Slack's schema has keywords and formats of its own, so not strict.
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    JSON.parse(readFileSync(schemaPath, 'utf8')) as object,
  );
  return validate(manifest) ? [] : (validate.errors ?? []);
}

describe('manifest.yml', () => {
  it.skipIf(!schemaIsThere)(`fits Slack’s schema${withoutSchema}`, () => {
    expect(problemsOf(parse(socketMode))).toEqual([]);
  });

  it.skipIf(!schemaIsThere)(`is refused by the schema with a key that Slack does not know${withoutSchema}`, () => {
    expect(problemsOf({ ...(parse(socketMode) as object), colour: 'red' })).not.toEqual([]);
  });

  it('asks for the scope that each of its events needs', () => {
    const scopeOf: Record<string, string> = {
      app_mention: 'app_mentions:read',
      agent_session_stopped: 'assistant:write',
      member_left_channel: 'channels:read',
      'message.channels': 'channels:history',
      'message.groups': 'groups:history',
      'message.im': 'im:history',
      subteam_members_changed: 'usergroups:read',
      user_change: 'users:read',
    };
    const { oauth_config, settings } = parse(socketMode) as Manifest;
    const needed = settings.event_subscriptions.bot_events.flatMap(event => scopeOf[event] ?? []);
    expect(needed).toHaveLength(Object.keys(scopeOf).length);
    expect(needed.filter(scope => !oauth_config.scopes.bot.includes(scope))).toEqual([]);
  });

  it('has the one command, whose text comes escaped, both message shortcuts and the Home tab', () => {
    const { features } = parse(socketMode) as {
      features: {
        readonly app_home: { readonly home_tab_enabled: boolean };
        readonly slash_commands: readonly { readonly command: string; readonly should_escape: boolean }[];
        readonly shortcuts: readonly { readonly type: string; readonly callback_id: string }[];
      };
    };
    expect(features.app_home.home_tab_enabled).toBe(true);
    expect(features.slash_commands).toMatchObject([{ command: COMMAND, should_escape: true }]);
    expect(features.shortcuts.map(each => [each.type, each.callback_id])).toEqual(
      Object.values(SHORTCUTS).map(id => ['message', id]),
    );
  });

  it('switches the socket on, which is the one way in which Slack reaches Countersign', () => {
    expect((parse(socketMode) as Manifest).settings.socket_mode_enabled).toBe(true);
  });
});
