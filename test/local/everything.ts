import { EVENT_COVERAGE } from '../../src/local/coverage.ts';
import type { Installation } from '../../src/local/installation.ts';

const kinds = ['channels', 'groups', 'im'];

/** The app with every right and feature that there is, so that a test is not about its manifest. */
export const EVERYTHING: Installation = {
  scopes: new Set([
    'chat:write',
    'assistant:write',
    'reactions:write',
    'files:write',
    'files:read',
    'users:read',
    'usergroups:read',
    'im:write',
    'team:read',
    'metadata.message:read',
    ...kinds.flatMap(kind => [`${kind}:read`, `${kind}:history`]),
  ]),
  events: new Set([...Object.keys(EVENT_COVERAGE), ...kinds.map(kind => `message.${kind}`)]),
  commands: [{ command: '/countersign', description: 'What waits', usageHint: '[freeze | help]', shouldEscape: true }],
  shortcuts: [{ name: 'Show record', callbackId: 'show_record', description: 'The record of a request' }],
  homeTab: true,
  prompts: [{ title: 'Look around', message: 'list notes' }],
};
