/** Owns the form of a message as the demo model reads it. */
export interface DemoMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCallId: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
}
