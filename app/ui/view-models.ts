import type { Locale } from '#lib/messages/locales.ts';
import type { AppPage } from '#lib/store/app-page.ts';

export type AccountSummary = {
  id: string;
  username: string;
  email: string;
  name?: string;
  picture?: string;
};

export type ScopeLine = {
  name: string;
  /** The description of a custom scope, or of an API. Built-in scopes have their own sentence. */
  description?: string;
  /** The name and identifier of the API that this line is, or whose scope it is. */
  api?: string;
  identifier?: string;
  /** This line is the API itself. */
  isApi?: boolean;
  /** The description in other languages, by language. */
  translations?: Readonly<Record<string, string>>;
  /** What else this server reveals with this scope: the labels of its custom fields. */
  also?: readonly string[];
  /** Requested in addition to what was allowed before. */
  added?: boolean;
  sensitive?: boolean;
};

export type ConnectedAppSummary = AppPage & {
  description?: string;
  scopes: readonly ScopeLine[];
  /** ISO times. */
  approvedAt: string;
  lastUsedAt?: string;
  /** The proven host of an app that registered itself. */
  host?: string;
  calledItself?: string;
  endsAt?: string;
  /** Set for an agent, with the person who answers for it. */
  agent?: { owner: string | null };
  /** The number of live authorizations. */
  places: number;
  /** What it sees of the user in any case. */
  shares: 'email' | 'name' | 'id';
  /** The apps that act for the user through this app. */
  acting?: readonly ActingLine[];
  /** The apps the user allowed through which this app acts for them, and since when. */
  through?: readonly { name: string; since: string }[];
  /** The user never allowed it: it acted for them through an app that they allowed, until then. */
  acted?: { through: string; until: string };
};

/** An app that acts for the user through another one. */
export type ActingLine = {
  key: string;
  /** The names of the two apps. */
  agent: string;
  via: string;
  /** How many apps are between the agent and the app the user signed in to. */
  depth: number;
  /** ISO time. */
  since: string;
};

export type ScreenProps = {
  locale: Locale;
  /** The issuer's host, to compare with the address bar. */
  host?: string;
};

/** Why a form was refused: its overall error, and errors by field. */
export type Refused<Field extends string> = {
  error?: string;
  fieldErrors?: Partial<Record<Field, string>>;
};
