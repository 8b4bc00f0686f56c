import type { en, MessageValues } from './compiled/en.ts';

/** All message keys: those of the English catalogue. */
export type MessageKey = keyof typeof en;

/** The values a message takes, so that a missing value does not compile. */
export type Values<K extends MessageKey, V> = K extends keyof MessageValues<V>
  ? MessageValues<V>[K]
  : Record<never, never>;
/**
 * What follows the key in a call. Where the key may be one of several, the values of all of them are
 * needed, so none is shown with a hole in it.
 */
export type ValueArguments<K extends MessageKey, V = string> = [K] extends [PlainKey]
  ? []
  : [values: OfEach<K extends keyof MessageValues<V> ? MessageValues<V>[K] : never>];

/** What is in each type of a union. */
type OfEach<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Messages that take no values. */
export type PlainKey = Exclude<MessageKey, keyof MessageValues<string>>;
