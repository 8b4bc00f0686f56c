import type { RecipeFacts } from './shape.ts';
import type { Language } from './text.ts';

export type Answers = Readonly<Record<string, string>>;

/** The endpoints of this server, all derived from the issuer. */
export type ServerAddresses = {
  issuer: string;
  /** The OpenID Connect Discovery document. */
  discovery: string;
  authorize: string;
  token: string;
  device: string;
  userinfo: string;
  jwks: string;
  logout: string;
  revoke: string;
  introspect: string;
};

/** What a text to paste can name besides the answers and the recipe's own values. */
export const givenNames = [
  'issuer',
  'discovery',
  'authorize',
  'token',
  'device',
  'userinfo',
  'jwks',
  'logout',
  'revoke',
  'introspect',
  'clientId',
  'clientSecret',
  'redirectUri',
  'freshSecret',
] as const;

/** A form of the program, with what to type into which field. */
type Form = {
  language: 'form';
  fields: readonly (readonly [label: string, value: string])[];
};

/** One thing to paste, with its gaps: a file, a command, or a form of the program. */
export type Block = { /** A file, or the path to a screen. */ title: string } & (
  | { language: Language; text: string }
  | Form
);

/** A block with all its values filled in; a form has its fields as well. */
export type FilledBlock = {
  title: string;
  language: Block['language'];
  text: string;
  fields: readonly (readonly [label: string, value: string])[] | null;
};

/** A program that checks the tokens of an API, with its gaps. */
export type CheckerSource = {
  id: string;
  language: string;
  /** What it needs besides the language, for JWTs and for opaque tokens. */
  install: { jwt?: string | undefined; opaque?: string | undefined };
  block: Block;
};

/** What a kind of proxy needs to guard an app, as `docs/guard` has it for `app.example.org`. */
export type GuardSource = {
  id: string;
  name: string;
  blocks: { /** A file, or what it is for. */ title: string; text: string }[];
};

/**
 * Describes how to connect one app without a manual: what to ask, what client to create, what to
 * paste. Pages that show recipes contain nothing about individual programs. It is read from
 * `docs/recipes`.
 */
export type Recipe = Omit<RecipeFacts, 'version' | 'sources' | 'notChecked' | 'place'> & {
  /** The name of its file, used in addresses. */
  id: string;
  /** What to do, in order. Each step is a sentence. */
  steps: readonly string[];
  blocks: readonly Block[];
  /** The most common mistake with this software, in a sentence. */
  trap: string;
  source: {
    /** The version that the facts apply to. */
    version: string;
    /** Titles of the pages that the facts come from. */
    pages: readonly string[];
    /** Questions that these pages leave open. */
    notChecked: readonly string[];
  };
};
