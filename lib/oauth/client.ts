/** A client as the rules see it (RFC 6749 section 2). */
export type Client = {
  id: string;
  name: string;
  type: 'confidential' | 'public';
  grants: readonly string[];
  /** Scopes it may request; null: all that are not sensitive. */
  scopes: readonly string[] | null;
  redirectUris: readonly string[];
  postLogoutUris: readonly string[];
  backchannelLogoutUri: string | null;
  /** SHA-256 digests; several while a secret is being replaced. */
  secretHashes: readonly string[];
  requirePkce: boolean | null;
  requireClientAuthOnRefresh: boolean | null;
  firstParty: boolean;
  resourceServer: boolean;
  sendIss: boolean;
  idTokenAlg: string;
  /**
   * Whether refresh responses with scope `openid` carry an ID token (OpenID Connect Core section
   * 12.2).
   */
  idTokenOnRefresh: boolean;
  accessTokenTtl: number | null;
  refreshTokenTtl: number | null;
  refreshTokenMaxTtl: number | null;
  disabled: boolean;
  epoch: number;
};
