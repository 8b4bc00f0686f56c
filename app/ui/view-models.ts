/** An app's branding. The name is untrusted text. */
export type AppSummary = {
  id: string;
  name: string;
  /** An address on this server; images from other hosts are not loaded. */
  logo?: string;
  /** `#rrggbb`, as an admin set it. */
  accent?: string;
  homePage?: string;
  privacyLink?: string;
  termsLink?: string;
};

export type AccountSummary = { username: string; email: string; name?: string; picture?: string };

export type ScopeLine = {
  /** The scope's name on the wire. */
  name: string;
  /** The description of a custom scope, or of an API. Built-in scopes have their own sentence. */
  description?: string;
  /** The name of the API that it is, or whose scope it is, and its identifier. */
  api?: string;
  identifier?: string;
  /** It is the API itself. */
  isApi?: boolean;
  /** The same by language. */
  translations?: Readonly<Record<string, string>>;
  /** What else this server tells with it: labels of fields of its own. */
  also?: readonly string[];
  /** Requested in addition to what was allowed before. */
  added?: boolean;
  sensitive?: boolean;
};

/** A connected app. */
export type ConnectedAppSummary = Omit<AppSummary, 'id'> & {
  clientId: string;
  description?: string;
  scopes: readonly ScopeLine[];
  /** ISO times. */
  approvedAt: string;
  lastUsedAt?: string;
  /** The proved host of one that registered itself. */
  host?: string;
  /** What that one calls itself. */
  calledItself?: string;
  /** The user let it in until then. */
  endsAt?: string;
  /** It is an agent, and who answers for it. */
  agent?: { owner: string | null };
  /** The number of live authorizations. */
  places: number;
  /** Who acts for them through it. */
  acting?: readonly ActingLine[];
  /** The names of the apps that they allowed, through which it acts for them. */
  through?: readonly string[];
};

/** That an app acts for somebody through another one. */
export type ActingLine = {
  key: string;
  /** The names of both. */
  agent: string;
  via: string;
  /** How many stand between it and the app that they signed in to. */
  depth: number;
  /** ISO time. */
  since: string;
};

/** Props of every screen. */
export type ScreenProps = {
  locale: Locale;
  /** The issuer's host, to compare with the address bar. */
  host?: string;
};

/** A refused form: its overall error, and errors by field. */
export type Refused<Field extends string> = {
  error?: string;
  fieldErrors?: Partial<Record<Field, string>>;
};

import type { Locale } from '#lib/messages/locales.ts';
