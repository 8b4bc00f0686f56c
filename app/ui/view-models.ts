/** How an app shows itself. The name is its own choice and may be anything. */
export type AppFace = {
  name: string;
  /** An address of ours; images of other hosts are not loaded. */
  logo?: string;
  homePage?: string;
  privacyLink?: string;
  termsLink?: string;
};

export type AccountFace = { username: string; email: string; name?: string; picture?: string };

export type ScopeLine = {
  /** The scope's name on the wire. */
  name: string;
  /** The sentence of a scope that the operator made. Built-in ones have theirs. */
  description?: string;
  /** Asked now, on top of what was allowed before. */
  added?: boolean;
  sensitive?: boolean;
};

/** An app that a person allowed to use their account. */
export type ConnectedAppFace = AppFace & {
  clientId: string;
  description?: string;
  scopes: readonly ScopeLine[];
  /** ISO times. */
  approvedAt: string;
  lastUsedAt?: string;
  /** How often it is signed in right now. */
  places: number;
};

/** What every screen may be given. */
export type ScreenProps = {
  locale: Locale;
  /** The issuer's host, shown so that people can compare it with the address bar. */
  host?: string;
};

/** A form that was refused: what is wrong with it as a whole, and at which fields. */
export type Refused<Field extends string> = {
  error?: string;
  fieldErrors?: Partial<Record<Field, string>>;
};

import type { Locale } from '#lib/messages/locales.ts';
