import { usualGrantTypes } from './grant-types.ts';

/** Which JWTs a client may authenticate with. */
export type FederatedCredential = {
  /** The `iss` of the JWTs, compared as text. */
  issuer: string;
  /** Null: the issuer's metadata names it (OpenID Connect Discovery section 4). */
  keys: string | null;
  /** The required value of each of these claims. A `*` at the end matches anything. */
  claims: Readonly<Record<string, string>>;
  /** A JWT may be used more than once until it expires. */
  reusable: boolean;
};

/** How a field of a client is kept, and the type of its value. */
type Values = {
  /** Without white space around it. */
  text: string;
  textOrNone: string | null;
  /** Names without white space in them, without duplicates. */
  words: readonly string[];
  /** null: the server decides. */
  wordsOrServer: readonly string[] | null;
  /** Addresses that a browser may be sent to, in order. */
  addresses: readonly string[];
  switch: boolean;
  /** null: the server's setting applies. */
  switchOrServer: boolean | null;
  secondsOrServer: number | null;
  /** null: there is no requirement. */
  secondsOrNone: number | null;
  /** Texts by name, in order. */
  pairs: Readonly<Record<string, string>>;
  federations: readonly FederatedCredential[];
};
type Choice = { kind: 'choice'; of: readonly [string, ...string[]]; initial: string };
type Row = Choice | { [Kind in keyof Values]: { kind: Kind; initial: Values[Kind] } }[keyof Values];

/**
 * Everything that an admin decides about a client (RFC 6749 section 2): how each field is stored,
 * and its default. Columns, records and commands follow from this table. The requirements on each
 * field are in `lib/management/client/client-fields.ts`, its control on the app's settings page.
 */
export const clientFields = {
  name: { kind: 'text', initial: '' },
  type: { kind: 'choice', of: ['confidential', 'public'], initial: 'confidential' },
  description: { kind: 'textOrNone', initial: null },
  homePage: { kind: 'textOrNone', initial: null },
  privacyLink: { kind: 'textOrNone', initial: null },
  termsLink: { kind: 'textOrNone', initial: null },
  /** `#rrggbb`, the app's accent colour on the pages people see; null: the server's. */
  accent: { kind: 'textOrNone', initial: null },
  /** What its operator says on its sign-in and consent page, by language: `own-words.ts`. */
  pageLines: { kind: 'pairs', initial: {} },
  grants: { kind: 'words', initial: usualGrantTypes },
  /** Scopes it may request; null: all that are not sensitive. */
  scopes: { kind: 'wordsOrServer', initial: null },
  redirectUris: { kind: 'addresses', initial: [] },
  postLogoutRedirectUris: { kind: 'addresses', initial: [] },
  backchannelLogoutUri: { kind: 'textOrNone', initial: null },
  requirePkce: { kind: 'switchOrServer', initial: null },
  requireClientAuthOnRefresh: { kind: 'switchOrServer', initial: null },
  /** RFC 9126 section 6. */
  requirePushedAuthorizationRequests: { kind: 'switchOrServer', initial: null },
  /** The client meets the FAPI 2.0 Security Profile, see `strong-client.ts`. */
  strong: { kind: 'switchOrServer', initial: null },
  /** It gets tokens bound to a key, and no others (RFC 9449 section 5.2). */
  dpopBoundAccessTokens: { kind: 'switch', initial: false },
  /** Its proofs must contain a nonce from this server (RFC 9449 section 8). */
  requireDpopNonce: { kind: 'switchOrServer', initial: null },
  /** A JWK Set with which it authenticates (RFC 7523); null: a secret, or `jwksUri`. */
  jwks: { kind: 'textOrNone', initial: null },
  /** The address of its JWK Set. */
  jwksUri: { kind: 'textOrNone', initial: null },
  /** It authenticates with them; empty: it does not. See `federated-credential.ts`. */
  federatedCredentials: { kind: 'federations', initial: [] },
  firstParty: { kind: 'switch', initial: false },
  resourceServer: { kind: 'switch', initial: false },
  sendIss: { kind: 'switch', initial: true },
  /**
   * The path of the old issuer by which it knows this server; null: it knows this server's own
   * issuer. See `old-issuer.ts`.
   */
  oldIssuer: { kind: 'textOrNone', initial: null },
  /** The kind of `sub` it is given (OpenID Connect Core section 8), see `subject.ts`. */
  subjectType: { kind: 'choice', of: ['public', 'pairwise'], initial: 'public' },
  /** Its host is the sector; null: the host of the redirect URIs is. */
  sectorIdentifierUri: { kind: 'textOrNone', initial: null },
  idTokenAlg: { kind: 'choice', of: ['RS256', 'ES256'], initial: 'RS256' },
  /** Refresh responses with `openid` carry an ID token (OpenID Connect Core section 12.2). */
  idTokenOnRefresh: { kind: 'switch', initial: true },
  accessTokenTtl: { kind: 'secondsOrServer', initial: null },
  refreshTokenTtl: { kind: 'secondsOrServer', initial: null },
  refreshTokenMaxTtl: { kind: 'secondsOrServer', initial: null },
  /** Who may use it. The list itself is in other tables, see `lib/store/access.ts`. */
  access: { kind: 'choice', of: ['everybody', 'listed'], initial: 'everybody' },
  requireSecondFactor: { kind: 'switch', initial: false },
  /** A sign-in older than this is not accepted. */
  maxSignInAge: { kind: 'secondsOrNone', initial: null },
  /** How long after a sign-in everything that it gave this client ends. */
  signInLife: { kind: 'secondsOrNone', initial: null },
  /** Networks (CIDR) from which users may sign in to it; empty: from anywhere. */
  networks: { kind: 'words', initial: [] },
  /** Identifiers of the APIs that it may exchange users' tokens for, see `token-exchange.ts`. */
  exchangeFor: { kind: 'words', initial: [] },
  /** The identifier of the API that its tokens are for if it names none; null: none. */
  defaultApi: { kind: 'textOrNone', initial: null },
  /** Servers that it may tell who signed in, each with its client_id there: `id-jag.ts`. */
  identityFor: { kind: 'pairs', initial: {} },
  /** The group a user must be in for that, by issuer. Issuers that are not listed need no group. */
  identityGroups: { kind: 'pairs', initial: {} },
  /** It acts for people on its own; `lib/store/contacts.ts` stores who is responsible for it. */
  agent: { kind: 'switch', initial: false },
  /** It reads people and groups at the LDAP server, see `lib/ldap`. */
  ldap: { kind: 'switch', initial: false },
  /** People who need no second step can bind there for it with their own password. */
  ldapPasswords: { kind: 'switch', initial: false },
  /** People may make app passwords for it, see `lib/access/app-password.ts`. */
  appPasswords: { kind: 'switch', initial: false },
  /** The address where a sign-in to it begins (OpenID Connect Core section 4). */
  initiateLoginUri: { kind: 'textOrNone', initial: null },
  claimShape: { kind: 'choice', of: ['standard', 'wp-oauth-server'], initial: 'standard' },
  groupsClaim: { kind: 'text', initial: 'groups' },
  /** It is only told of groups whose names begin with this. */
  groupsPrefix: { kind: 'textOrNone', initial: null },
  /** What it is told in place of a group's name. */
  groupNames: { kind: 'pairs', initial: {} },
  constantClaims: { kind: 'pairs', initial: {} },
  /** The sites that a proxy guards for it, each in the spelling of `siteIn`. */
  guardedSites: { kind: 'addresses', initial: [] },
  /** Prefixes of paths there that need no sign-in, see `isOpen`. */
  openPaths: { kind: 'words', initial: [] },
  /** Its own names for the headers about the user, each with what it holds. */
  siteHeaders: { kind: 'pairs', initial: {} },
  /** The sites get the `Authorization` header that was sent. */
  passAuthorization: { kind: 'switch', initial: false },
  /** The sites answer CORS preflights themselves. */
  passPreflights: { kind: 'switch', initial: false },
  /** The recipe or kind of app it was made from, see `lib/recipes/origin.ts`. */
  recipe: { kind: 'textOrNone', initial: null },
} as const satisfies Record<string, Row>;

type Fields = typeof clientFields;
export type ClientField = keyof Fields;
export type FieldKind = Row['kind'];
/** The value of a kind, whichever field it belongs to. */
export type KindValue<Kind extends FieldKind> = Kind extends keyof Values ? Values[Kind] : string;

/** The fields that an admin decides about a client. */
export type ClientSettings = {
  -readonly [Field in ClientField]: Fields[Field] extends { of: readonly (infer Word)[] }
    ? Word
    : KindValue<Fields[Field]['kind']>;
};
export type FieldOf<Kind extends FieldKind> = {
  [Field in ClientField]: Fields[Field]['kind'] extends Kind ? Field : never;
}[ClientField];

/** In the order in which people see them. */
export const clientFieldNames = Object.keys(clientFields) as ClientField[];

export function eachClientField(make: (field: ClientField) => unknown): ClientSettings {
  return Object.fromEntries(
    clientFieldNames.map((field) => [field, make(field)]),
  ) as ClientSettings;
}

export const newClient = eachClientField((field) => clientFields[field].initial);

/**
 * How a client came about: an admin made it, or it registered itself, by a metadata document at its
 * id or by dynamic registration (RFC 7591).
 */
const clientOrigins = ['admin', 'document', 'registration'] as const;
export type ClientOrigin = (typeof clientOrigins)[number];

/** A client as the rules see it (RFC 6749 section 2). */
export type Client = ClientSettings & {
  id: string;
  origin: ClientOrigin;
  /**
   * What is proved about a self-registered client: the host of its document or, after dynamic
   * registration, where its addresses lead. null for clients that an admin made.
   */
  host: string | null;
  /** The key of its sector, if its subjects are pairwise. */
  subjectKey?: string;
  /** SHA-256 digests; several while a secret is being replaced. */
  secretHashes: readonly string[];
  disabled: boolean;
  epoch: number;
  /** Set while it registers itself: nothing about it is stored until a person agrees. */
  unstored?: Unstored;
};

/** What is stored about a self-registered client, besides its own metadata. */
export type Unstored = {
  /** An admin listed its host, so its requests may be answered before a person agrees. */
  listed: boolean;
  /** Digest of its document's content; null after dynamic registration. */
  documentHash: string | null;
  etag: string | null;
  fetchedAt: Date | null;
  /** When its document has to be read again. */
  staleAt: Date | null;
};
