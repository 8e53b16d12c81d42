/**
 * What of Slack this workspace covers, and what it leaves out: the honest list. A test holds it against the routes, both
 * ways, and against the page in `docs/`. A method that is not listed answers `unknown_method` and is logged.
 */

export interface Coverage {
  readonly covers: string;
  readonly leavesOut: string;
}

const row = (covers: string, leavesOut = ''): Coverage => ({ covers, leavesOut });

/** By method of the Web API. */
export const METHOD_COVERAGE: Readonly<Record<string, Coverage>> = {
  'apps.connections.open': row('address with a ticket for one connection, 30 s', 'the limit of ten connections'),
  'auth.test': row('ids of team, user and bot; scopes in x-oauth-scopes', 'enterprise installs'),
  'team.info': row('id, name, domain', 'icons'),
  'bots.info': row('the app’s own bot', 'icons'),
  'users.info': row('flags, time zone, title', 'locale, presence, images, custom fields'),
  'users.list': row('everybody, in pages', 'people whom Slack would hide from an app'),
  'usergroups.list': row('groups, with their people if asked', 'disabled groups'),
  'usergroups.users.list': row('people of a group who are not deactivated', 'disabled groups'),
  'chat.postMessage': row(
    'text, blocks, markdown_text, metadata, threads, broadcasts; by channel id, name or person; every length',
    'attachments (refused), unfurls, link_names, parse, custom names and icons',
  ),
  'chat.update': row('text, blocks, metadata; block_mismatch; 4,000 characters', 'the edit window; attachments'),
  'chat.delete': row('own messages; a thread’s root leaves a marker', ''),
  'chat.postEphemeral': row('kept for the person, the last hundred', 'in Slack they are gone after a reload'),
  'chat.getPermalink': row('messages and replies', ''),
  'chat.startStream': row(
    'text and chunks, recipients outside direct messages; channel_type_not_supported in a direct message with another organisation',
    'Slack does not say where it has channel_type_not_supported; custom names and icons',
  ),
  'chat.appendStream': row('markdown, task, plan and block chunks; dead after five minutes', ''),
  'chat.stopStream': row('chunks, blocks, metadata, session_status', ''),
  'views.open': row('trigger ids of three seconds, once', 'interactivity pointers of workflows'),
  'views.push': row('from within a form, at most three', ''),
  'views.update': row('by view_id or external_id, hash_conflict', 'what was typed stays in the page, not here'),
  'views.publish': row('Home, hash_conflict', ''),
  'conversations.info': row('kind, sharing, membership', 'topic, purpose, creator, dates'),
  'conversations.members': row('everybody, in pages', ''),
  'conversations.history': row('window, pages, include_all_metadata', 'the rate limit of unlisted apps'),
  'conversations.replies': row('root and replies, window, pages, include_all_metadata', ''),
  'conversations.open': row('direct message with one person', 'groups of several people'),
  'conversations.list': row('by type, in pages', 'archived channels'),
  'reactions.add': row('by the app', 'the list of emoji that exist; reaction events'),
  'reactions.remove': row('by the app', 'reaction events'),
  'files.getUploadURLExternal': row('up to 1 MB', 'snippet types, alt texts'),
  'files.completeUploadExternal': row('one channel or thread, initial_comment, blocks', 'several channels at once'),
  'files.info': row('name, title, size, address', 'previews, comments'),
  'assistant.threads.setStatus': row('two minutes, cleared by the next message', 'loading_messages, custom names'),
  'assistant.threads.setSuggestedPrompts': row('at most four, with or without a thread', ''),
  'assistant.threads.setTitle': row('kept with the session', ''),
  'agents.sessions.setStatus': row(
    'active, processing, suspended, closed; title',
    'code channels; custom names and icons',
  ),
};

/** By what comes to the app, and on which way. */
export const EVENT_COVERAGE: Readonly<Record<string, Coverage>> = {
  message: row(
    'new messages by channel type; message_changed, message_deleted (a root with replies: changed to a tombstone), thread_broadcast, file_share; the app’s own too',
    'joins, topics and every other subtype',
  ),
  app_mention: row('in channels where the app sits, also by an edit', ''),
  app_home_opened: row('tab home, with the Home that stands; tab messages', ''),
  agent_session_stopped: row('with the streams that it stopped', ''),
  user_change: row('the id of who changed', 'everything else about them'),
  subteam_members_changed: row('who came and who went', ''),
  member_joined_channel: row('people and the app', ''),
  member_left_channel: row('people and the app', ''),
  block_actions: row('from messages, private messages, forms and Home', 'options loaded from outside'),
  view_submission: row('errors, update, push, clear', 'response_urls'),
  view_closed: row('when notify_on_close', ''),
  message_action: row('registered shortcuts on messages and replies', 'global shortcuts'),
  slash_commands: row(
    'registered commands, should_escape, answers in the acknowledgement',
    'groups stay <!subteam^S…> without their handle',
  ),
  response_url: row('five uses, thirty minutes, replace_original, delete_original, in_channel', ''),
};

/** Where this workspace is not Slack, on purpose. */
export const DIFFERENCES: readonly string[] = [
  'Everybody may look into #approvals and click there, and somebody deactivated may click and write, so that every refusal can be tried.',
  'A click made while the app is away waits up to thirty seconds for it; Slack tells the person at once that it failed. A form is not kept: the person is told, and tries again.',
  'Events wait without limit for an app that is not connected; Slack gives up after the third retry, as this workspace does while the app is connected.',
  'All block text of a message together may be 9,000 characters; Slack publishes no figure and refuses somewhere above that.',
  'Lengths are counted in UTF-16 units, which is never more generous than Slack.',
  'Block and element types that are not listed are refused. Old-style attachments are refused.',
  'Messages of people carry text only, no rich_text blocks; a bare domain does not become a link, a full address does.',
  'The app is installed as `manifest.yml` says: scopes, events, commands, shortcuts, prompts and the Home tab. Rate limits are off unless switched on.',
  'Direct messages and channels with somebody of another organisation are not marked as shared.',
];
