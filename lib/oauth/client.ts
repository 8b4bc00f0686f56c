import type { FederatedCredential } from './federated-credential.ts';
import { usualGrantTypes } from './grant-types.ts';

/** How a field of a client is kept, and the type of its value. */
type Values = {
  /** Without white space around it. */
  text: string;
  textOrNone: string | null;
  /** Names without white space in them, each once. */
  words: readonly string[];
  /** null: the server decides which. */
  wordsOrServer: readonly string[] | null;
  /** Addresses that a browser may be sent to, in their order. */
  addresses: readonly string[];
  switch: boolean;
  /** null: as the server's setting says. */
  switchOrServer: boolean | null;
  secondsOrServer: number | null;
  /** null: nothing is demanded. */
  secondsOrNone: number | null;
  /** Texts by name, in their order. */
  pairs: Readonly<Record<string, string>>;
  /** Issuers by whose JWTs it proves itself. */
  federations: readonly FederatedCredential[];
};
/** One of a few words. */
type Choice = { kind: 'choice'; of: readonly [string, ...string[]]; initial: string };
type Row = Choice | { [Kind in keyof Values]: { kind: Kind; initial: Values[Kind] } }[keyof Values];

/**
 * Everything that an admin decides about a client (RFC 6749 section 2): how each field is kept, and
 * what holds when nothing was said about it. Columns, records, forms and commands follow from this
 * table; what each field demands stands in `lib/management/client/client-fields.ts`.
 */
export const clientFields = {
  name: { kind: 'text', initial: '' },
  type: { kind: 'choice', of: ['confidential', 'public'], initial: 'confidential' },
  description: { kind: 'textOrNone', initial: null },
  homePage: { kind: 'textOrNone', initial: null },
  privacyLink: { kind: 'textOrNone', initial: null },
  termsLink: { kind: 'textOrNone', initial: null },
  /** `#rrggbb`, the colour in which people meet it; null: that of the server. */
  accent: { kind: 'textOrNone', initial: null },
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
  /** It meets the FAPI 2.0 Security Profile, see `strong-client.ts`. */
  strong: { kind: 'switchOrServer', initial: null },
  /** It gets tokens that are bound to a key, and no others (RFC 9449 section 5.2). */
  dpopBoundAccessTokens: { kind: 'switch', initial: false },
  /** Its proofs hold a nonce of this server (RFC 9449 section 8). */
  requireDpopNonce: { kind: 'switchOrServer', initial: null },
  /** Its public keys as a JWK Set, by which it proves itself (RFC 7523); null: by its secret, or by `jwksUri`. */
  jwks: { kind: 'textOrNone', initial: null },
  /** Where its JWK Set is. */
  jwksUri: { kind: 'textOrNone', initial: null },
  /** By whose JWTs it proves itself instead; none: by no others. See `federated-credential.ts`. */
  federatedCredentials: { kind: 'federations', initial: [] },
  firstParty: { kind: 'switch', initial: false },
  resourceServer: { kind: 'switch', initial: false },
  sendIss: { kind: 'switch', initial: true },
  /** The path of the issuer that it knows this server by; null: this server's own. See `old-issuer.ts`. */
  oldIssuer: { kind: 'textOrNone', initial: null },
  /** What its `sub` is (OpenID Connect Core section 8), see `subject.ts`. */
  subjectType: { kind: 'choice', of: ['public', 'pairwise'], initial: 'public' },
  /** Its host is the sector; null: that of its redirect URIs. */
  sectorIdentifierUri: { kind: 'textOrNone', initial: null },
  idTokenAlg: { kind: 'choice', of: ['RS256', 'ES256'], initial: 'RS256' },
  /**
   * Whether refresh responses with scope `openid` carry an ID token (OpenID Connect Core section
   * 12.2).
   */
  idTokenOnRefresh: { kind: 'switch', initial: true },
  accessTokenTtl: { kind: 'secondsOrServer', initial: null },
  refreshTokenTtl: { kind: 'secondsOrServer', initial: null },
  refreshTokenMaxTtl: { kind: 'secondsOrServer', initial: null },
  /** Who may use it; those who are listed are rows of their own, see `lib/store/access.ts`. */
  access: { kind: 'choice', of: ['everybody', 'listed'], initial: 'everybody' },
  requireSecondFactor: { kind: 'switch', initial: false },
  /** A sign-in older than this does not do. */
  maxSignInAge: { kind: 'secondsOrNone', initial: null },
  /** Time after the sign-in until everything it gave ends. */
  signInLife: { kind: 'secondsOrNone', initial: null },
  /** Networks (CIDR) from which users may sign in to it; none: from anywhere. */
  networks: { kind: 'words', initial: [] },
  /** Identifiers of the APIs that it may exchange people's tokens for, see `token-exchange.ts`. */
  exchangeFor: { kind: 'words', initial: [] },
  /** Servers that it may tell who signed in to it, by their issuer, each with its client_id there. See `id-jag.ts`. */
  identityFor: { kind: 'pairs', initial: {} },
  /** The group that somebody has to be in for that, by issuer; every other issuer: no group. */
  identityGroups: { kind: 'pairs', initial: {} },
  /** It acts for people by itself; who answers for it, `lib/store/contacts.ts` knows. */
  agent: { kind: 'switch', initial: false },
  /** Where a sign-in to it begins (OpenID Connect Core section 4). */
  initiateLoginUri: { kind: 'textOrNone', initial: null },
  /** What its user information looks like. */
  claimShape: { kind: 'choice', of: ['standard', 'wp-oauth-server'], initial: 'standard' },
  /** The claim in which it is told the groups of a user. */
  groupsClaim: { kind: 'text', initial: 'groups' },
  /** It is told only of groups whose names begin with this. */
  groupsPrefix: { kind: 'textOrNone', initial: null },
  /** What it is told instead of the name of a group. */
  groupNames: { kind: 'pairs', initial: {} },
  /** Claims that are the same for everybody. */
  constantClaims: { kind: 'pairs', initial: {} },
  /** What it was made from, see `lib/recipes/origin.ts`. */
  recipe: { kind: 'textOrNone', initial: null },
} as const satisfies Record<string, Row>;

type Fields = typeof clientFields;
export type ClientField = keyof Fields;
export type FieldKind = Row['kind'];
/** The value of a kind, whichever field has it. */
export type KindValue<Kind extends FieldKind> = Kind extends keyof Values ? Values[Kind] : string;

/** What an admin decides about a client. */
export type ClientSettings = {
  -readonly [Field in ClientField]: Fields[Field] extends { of: readonly (infer Word)[] }
    ? Word
    : KindValue<Fields[Field]['kind']>;
};
/** The fields of some kinds. */
export type FieldOf<Kind extends FieldKind> = {
  [Field in ClientField]: Fields[Field]['kind'] extends Kind ? Field : never;
}[ClientField];

/** In the order in which people read them. */
export const clientFieldNames = Object.keys(clientFields) as ClientField[];

/** Makes a value for each field. */
export function eachClientField(make: (field: ClientField) => unknown): ClientSettings {
  return Object.fromEntries(
    clientFieldNames.map((field) => [field, make(field)]),
  ) as ClientSettings;
}

/** A client as it is when nothing is said about it. */
export const newClient = eachClientField((field) => clientFields[field].initial);

/**
 * How a client came: an admin made it, or it registered itself, by a metadata document at its id or
 * by dynamic registration (RFC 7591).
 */
const clientOrigins = ['admin', 'document', 'registration'] as const;
export type ClientOrigin = (typeof clientOrigins)[number];

/** A client as the rules see it (RFC 6749 section 2). */
export type Client = ClientSettings & {
  id: string;
  origin: ClientOrigin;
  /**
   * What is proved of one that registered itself: the host of its document, or the one that a registered
   * one leads back to. null for one that an admin made.
   */
  host: string | null;
  /** The key of its sector, for one with pairwise subjects. */
  subjectKey?: string;
  /** SHA-256 digests; several while a secret is being replaced. */
  secretHashes: readonly string[];
  disabled: boolean;
  epoch: number;
  /** Set for one that registers itself now: nothing of it is stored before a person agrees to it. */
  unstored?: Unstored;
};

/** What is stored of a client that registers itself, beside what it says of itself. */
export type Unstored = {
  /** An admin listed its host, so that a request of it may be answered before a person agrees. */
  listed: boolean;
  /** Digest of what its document says; null for one that registered. */
  documentHash: string | null;
  etag: string | null;
  fetchedAt: Date | null;
  /** When its document has to be read again. */
  staleAt: Date | null;
};
