/** Owns the shapes of Block Kit that the page draws. A block of a kind it does not know is shown as such, never dropped. */
import type { RichPart } from '../text/inline.ts';

/** A text object. `emoji: false` keeps `:name:` as written; `expand` never folds long text. */
export interface TextObject {
  type: 'plain_text' | 'mrkdwn';
  text: string;
  emoji?: boolean;
}

/** One choice of a menu, select, radio or checkbox group. */
export interface Option {
  text: TextObject;
  value: string;
  description?: TextObject;
}

/** The dialog that asks once more before a control acts. */
export interface Confirm {
  title: TextObject;
  text: TextObject;
  confirm: TextObject;
  deny: TextObject;
  style?: 'primary' | 'danger';
}

interface Control {
  action_id: string;
  confirm?: Confirm;
}

/** A push button. */
export interface Button extends Control {
  type: 'button';
  text: TextObject;
  value?: string;
  url?: string;
  style?: 'primary' | 'danger';
  accessibility_label?: string;
}

/** The ⋯ menu. */
export interface Overflow extends Control {
  type: 'overflow';
  options: Option[];
}

/** A select with fixed options. */
export interface Select extends Control {
  type: 'static_select';
  placeholder?: TextObject;
  options?: Option[];
  option_groups?: { label: TextObject; options: Option[] }[];
  initial_option?: Option;
}

/** A group of options of which several can be taken. */
export interface MultiChoice extends Control {
  type: 'multi_static_select' | 'checkboxes';
  placeholder?: TextObject;
  options?: Option[];
  option_groups?: { label: TextObject; options: Option[] }[];
  initial_options?: Option[];
}

/** A group of options of which one can be taken. */
export interface Radio extends Control {
  type: 'radio_buttons';
  options: Option[];
  initial_option?: Option;
}

/** A text field; `number_input` carries its bounds as strings, as Slack does. */
export interface TextInput extends Control {
  type: 'plain_text_input' | 'number_input' | 'email_text_input' | 'url_text_input';
  multiline?: boolean;
  initial_value?: string;
  placeholder?: TextObject;
  min_length?: number;
  max_length?: number;
  min_value?: string;
  max_value?: string;
  is_decimal_allowed?: boolean;
}

/** A choice among people, channels, days or times. */
export interface Picker extends Control {
  type:
    'users_select' | 'multi_users_select' | 'channels_select' | 'conversations_select' | 'datepicker' | 'timepicker';
  placeholder?: TextObject;
  initial_user?: string;
  initial_users?: string[];
  initial_channel?: string;
  initial_conversation?: string;
  initial_date?: string;
  initial_time?: string;
}

/** Every interactive element. */
export type Element = Button | Overflow | Select | MultiChoice | Radio | TextInput | Picker;

/** A picture in a section or context. */
export interface Picture {
  type: 'image';
  image_url: string;
  alt_text: string;
}

/** The kinds of block. */
export type Block = { block_id?: string } & (
  | { type: 'header'; text: TextObject }
  | { type: 'divider' }
  | { type: 'section'; text?: TextObject; fields?: TextObject[]; accessory?: Element | Picture }
  | { type: 'context'; elements: (TextObject | Picture)[] }
  | { type: 'actions'; elements: Element[] }
  | { type: 'rich_text'; elements: RichPart[] }
  | InputBlock
  | { type: 'image'; image_url: string; alt_text: string; title?: TextObject }
  | { type: 'markdown'; text: string }
  | { type: 'plan'; title: string }
  | { type: 'task_card'; task_id: string; title: string; status?: string; details?: string; output?: string }
);

/** A form field with its label. */
export interface InputBlock {
  type: 'input';
  block_id?: string;
  label: TextObject;
  element: Element;
  hint?: TextObject;
  optional?: boolean;
  dispatch_action?: boolean;
}
