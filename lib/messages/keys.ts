import type { en, MessageValues } from './compiled/en.ts';

/** All message keys: those of the English catalogue. */
export type MessageKey = keyof typeof en;

/** The values a message takes, so that a missing value does not compile. */
export type Values<K extends MessageKey, V> = K extends keyof MessageValues<V>
  ? MessageValues<V>[K]
  : Record<never, never>;
export type ValueArguments<K extends MessageKey, V = string> = K extends keyof MessageValues<V>
  ? [values: MessageValues<V>[K]]
  : [];
/** Messages that take no values. */
export type PlainKey = Exclude<MessageKey, keyof MessageValues<string>>;
