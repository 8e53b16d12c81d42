import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot, textOf } from '../support/repository.ts';

// Slack's schema is not ours to publish: it is read where it lies beside the repository.
const schemaPath = join(repositoryRoot, '../shared/schemas/slack-manifest.schema.2.0.0.json');
const schemaIsThere = existsSync(schemaPath);
const withoutSchema = schemaIsThere ? '' : ' (skipped: no schema beside the repository)';

const socketMode = textOf('manifest.yml');
const http = socketMode
  .replaceAll('# request_url:', 'request_url:')
  .replace('socket_mode_enabled: true', 'socket_mode_enabled: false');

interface Manifest {
  readonly oauth_config: { readonly scopes: { readonly bot: string[] } };
  readonly settings: {
    readonly event_subscriptions: { readonly bot_events: string[]; readonly request_url?: string };
    readonly interactivity: { readonly request_url?: string };
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
  it.skipIf(!schemaIsThere).each([
    ['for Socket Mode', socketMode],
    ['for HTTP, as its head says', http],
  ])(`fits Slack’s schema %s${withoutSchema}`, (_, text) => {
    expect(problemsOf(parse(text))).toEqual([]);
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

  it('differs between Socket Mode and HTTP only in the addresses and the switch', () => {
    const { settings } = parse(http) as Manifest;
    expect(settings.socket_mode_enabled).toBe(false);
    expect(settings.event_subscriptions.request_url).toMatch(/^https:/);
    expect(settings.interactivity.request_url).toMatch(/^https:/);
    expect((parse(socketMode) as Manifest).settings.event_subscriptions.request_url).toBeUndefined();
  });
});
