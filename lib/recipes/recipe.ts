import { type GrantType, usualGrantTypes } from '../oauth/grant-types.ts';
import type { Text } from './text.ts';

/** A question asked before an app is connected. Each kind has its own check (`answers.ts`). */
export type Question = {
  /** `origin`: scheme, host and port. `site`: the same, optionally with a path. */
  kind: 'origin' | 'site' | 'name' | 'scheme';
  /** The label of the field, a short question. */
  label: string;
  /** What the answer is used for, in one sentence. */
  hint: string;
  /** A valid answer, shown while the field is empty and in refusals. */
  placeholder: string;
  /** The initial value of the field; empty if there is none. */
  suggestion: string;
};

export type Answers<Name extends string = string> = Readonly<Record<Name, string>>;

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

/** The values filled into a text to paste, besides the answers. */
export type Filling = {
  server: ServerAddresses;
  clientId: string;
  /** Not used if the client is public. */
  clientSecret: string;
  /** The first of the redirect URIs. */
  redirectUri: string;
  /** A secret random value with which the app signs or encrypts: 32 bytes in base64url. */
  freshSecret: string;
};

/** A form of the program, with what to type into which field. */
type Form = {
  language: 'form';
  fields: readonly (readonly [label: string, value: string])[];
};

/** One thing to paste: a file, a command, or a form of the program. */
export type Block = { /** A file, or the path to a screen. */ title: string } & (Text | Form);

/** How the software authenticates as the client (RFC 6749 section 2.3.1). */
type ClientAuthentication = 'basic' | 'post' | 'basic or post' | 'none' | 'not checked';

/** When the software sends PKCE: by default, because the text to paste says so, or never. */
type PkceUse = 'by default' | 'by the text' | 'no' | 'not checked';

/**
 * What the software needs of its client with default settings. Traits not given are those of
 * `webClient`.
 */
export type ClientTraits = {
  type: 'confidential' | 'public';
  grants: readonly GrantType[];
  scopes: readonly string[];
  pkce: PkceUse;
  authentication: ClientAuthentication;
  /** Off if the library mistakes `iss` (RFC 9207) for something else. */
  sendIss: boolean;
  idTokenAlg: 'RS256' | 'ES256';
  /** It introspects tokens of other clients. */
  resourceServer: boolean;
};

/**
 * The client of an app that signs people in on its own server; it may refresh tokens and receive
 * groups.
 */
export const webClient: ClientTraits = {
  type: 'confidential',
  grants: [...usualGrantTypes],
  scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
  pkce: 'no',
  authentication: 'basic or post',
  sendIss: true,
  idTokenAlg: 'RS256',
  resourceServer: false,
};

/** A client without a secret: it always sends PKCE (RFC 9700 section 2.1.1). */
export const publicClient: ClientTraits = {
  ...webClient,
  type: 'public',
  pkce: 'by default',
  authentication: 'none',
};

/** The client of a program that acts on its own: no one signs in to it. */
export const serviceClient: ClientTraits = {
  ...webClient,
  grants: ['client_credentials'],
  scopes: [],
};

/** The client of an AI app on a person's own machine, which uses an MCP server on their behalf. */
export const mcpClient: ClientTraits = {
  ...publicClient,
  // It uses a server on behalf of a person, and does not need to know their groups.
  scopes: ['openid', 'profile', 'email', 'offline_access'],
};

/**
 * Where an MCP server publishes who signs people in (RFC 9728 section 3.1), and what it has to
 * publish.
 */
export function namedByServer(address: string, { issuer }: ServerAddresses): Block {
  const { origin, pathname } = new URL(address);
  const path = pathname === '/' ? '' : pathname;
  return {
    title: 'What the MCP server has to say of itself',
    language: 'form',
    fields: [
      ['At', `${origin}/.well-known/oauth-protected-resource${path}`],
      ['resource', address],
      ['authorization_servers', issuer],
    ],
  };
}

/**
 * How a text is known to work: tests run it against this server, a person ran it by hand on a given
 * day, or it comes from documentation only.
 */
type Checked = 'run' | { byHand: string } | 'documentation';

/**
 * Describes how to connect one app without a manual: what to ask, what client to create, what to
 * paste. Pages that show recipes contain nothing about individual programs.
 */
export type Recipe<Name extends string = string> = {
  /** Used in addresses: lower-case letters, digits and hyphens. */
  id: string;
  name: string;
  /**
   * The slug of its icon in the package `simple-icons`. Left out if there is none that we may show.
   */
  mark?: string;
  /**
   * The name that people use for the app. If left out: the recipe's name for a program, empty for
   * other apps.
   */
  appName?: string;
  kind: 'program' | 'stack' | 'plain';
  /** What the software is, in a few words. */
  summary: string;
  /** What else people search for who need this recipe, separated by commas. */
  names?: string;
  /** In the order asked. */
  questions: Readonly<Record<Name, Question>>;
  client: ClientTraits;
  redirectUris(answers: Answers<Name>): string[];
  postLogoutRedirectUris?(answers: Answers<Name>): string[];
  backchannelLogoutUri?(answers: Answers<Name>): string;
  /** Where people open the app. If left out: the answer `address`, if there is one. */
  homePage?(answers: Answers<Name>): string | null;
  /** What to do, in order. Each step is a sentence. */
  steps: readonly string[];
  blocks(answers: Answers<Name>, filling: Filling): Block[];
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
  checked: Checked;
};

/** Declares a recipe; its answers have the same names as its questions. */
export function recipe<Name extends string>(given: Recipe<Name>): Recipe<Name> {
  return given;
}
