import { type GrantType, usualGrantTypes } from '../oauth/grant-types.ts';
import type { Text } from './text.ts';

/** What is asked before an app is connected. Each kind has its own check (`answers.ts`). */
export type Question = {
  /** `origin`: scheme, host and port. `site`: the same, a path may follow. */
  kind: 'origin' | 'site' | 'name' | 'scheme';
  /** The words beside the field, a question of a few words. */
  label: string;
  /** What the answer is used for, in one sentence. */
  hint: string;
  /** A sound answer, shown while the field is empty and in refusals. */
  placeholder: string;
  /** What the field holds at first; empty: nothing. */
  suggestion: string;
};

export type Answers<Name extends string = string> = Readonly<Record<Name, string>>;

/** Where this server answers, all made from the issuer. */
export type ServerAddresses = {
  issuer: string;
  /** OpenID Connect Discovery's document. */
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

/** What a text to paste is filled with besides the answers. */
export type Filling = {
  server: ServerAddresses;
  clientId: string;
  /** Stands for nothing where the client is public. */
  clientSecret: string;
  /** The first of the redirect URIs. */
  redirectUri: string;
  /** A value that nobody knows, for what the app signs or encrypts: 32 random bytes in base64url. */
  freshSecret: string;
};

/** A form of the program: what to type in which field. */
type Form = {
  language: 'form';
  fields: readonly (readonly [label: string, value: string])[];
};

/** One thing to paste: a file, a command, or a form of the program. */
export type Block = { /** A file's name, or the way to a screen. */ title: string } & (Text | Form);

/** How the software proves that it is the client: RFC 6749 section 2.3.1. */
type ClientAuthentication = 'basic' | 'post' | 'basic or post' | 'none' | 'not checked';

/** When the software sends PKCE: by itself, because the text to paste says so, or never. */
type PkceUse = 'by default' | 'by the text' | 'no' | 'not checked';

/** What the software's defaults need of its client. What is left out is as `webClient` says. */
export type ClientTraits = {
  type: 'confidential' | 'public';
  grants: readonly GrantType[];
  scopes: readonly string[];
  pkce: PkceUse;
  authentication: ClientAuthentication;
  /** Off where the library takes `iss` (RFC 9207) for something else. */
  sendIss: boolean;
  idTokenAlg: 'RS256' | 'ES256';
  /** It asks the introspection endpoint about tokens of other clients. */
  resourceServer: boolean;
};

/** What an app needs that signs people in at its own server; it may renew its tokens, and learn groups. */
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

/** A program that acts on its own: nobody signs in to it. */
export const serviceClient: ClientTraits = {
  ...webClient,
  grants: ['client_credentials'],
  scopes: [],
};

/** An AI app on somebody's own machine, which uses an MCP server as them. */
export const mcpClient: ClientTraits = {
  ...publicClient,
  // It uses a server as somebody; their groups are none of its business.
  scopes: ['openid', 'profile', 'email', 'offline_access'],
};

/** Where an MCP server says who signs people in (RFC 9728 section 3.1), and what it has to say. */
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
 * How a text is known to work: tests run it against this server, somebody ran it by hand on a day,
 * or it is from documentation alone.
 */
type Checked = 'run' | { byHand: string } | 'documentation';

/**
 * How one app is connected, without a manual: what to ask, what client to make, what to paste.
 * A page that shows recipes needs to know no program.
 */
export type Recipe<Name extends string = string> = {
  /** Part of addresses: small letters, digits and hyphens. */
  id: string;
  name: string;
  /** The slug of its icon in the package `simple-icons`. Left out: it has none there that we may show. */
  mark?: string;
  /** What people call the app. Left out: its name for a program, and nothing for an app of one's own. */
  appName?: string;
  kind: 'program' | 'stack' | 'plain';
  /** What it is, in a few words. */
  summary: string;
  /** In the order asked. */
  questions: Readonly<Record<Name, Question>>;
  client: ClientTraits;
  redirectUris(answers: Answers<Name>): string[];
  postLogoutRedirectUris?(answers: Answers<Name>): string[];
  backchannelLogoutUri?(answers: Answers<Name>): string;
  /** Where people open the app. Left out: the answer `address`, if there is one. */
  homePage?(answers: Answers<Name>): string | null;
  /** What to do, in order. Each step is a sentence. */
  steps: readonly string[];
  blocks(answers: Answers<Name>, filling: Filling): Block[];
  /** What goes wrong most often with this software, in a sentence. */
  trap: string;
  source: {
    /** The version that the facts are of. */
    version: string;
    /** Titles of the pages that the facts are from. */
    pages: readonly string[];
    /** What these pages leave open. */
    notChecked: readonly string[];
  };
  checked: Checked;
};

/** Declares a recipe; the names of its questions are the names of its answers. */
export function recipe<Name extends string>(given: Recipe<Name>): Recipe<Name> {
  return given;
}
