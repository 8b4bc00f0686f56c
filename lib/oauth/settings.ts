/** The server settings that change protocol behaviour. Times are whole seconds. */
export type ProtocolSettings = {
  /** Chooses the defaults of the others. */
  profile: SecurityProfile;
  enforceRedirectUri: boolean;
  enforceState: boolean;
  alwaysIssueNewRefreshToken: boolean;
  requirePkce: boolean;
  requireClientAuthOnRefresh: boolean;
  acceptRefreshParamsInQuery: boolean;
  acceptAccessTokenInQuery: boolean;
  allowUnregisteredRedirectUri: boolean;
  refuseUnknownResource: boolean;
  requirePushedAuthorizationRequests: boolean;
  requireDpopNonce: boolean;
  requireStrongClients: boolean;
  codeTtl: number;
  accessTokenTtl: number;
  refreshTokenTtl: number;
  refreshTokenMaxTtl: number;
};

export const profiles = ['interface', 'strict', 'fapi'] as const;
export type SecurityProfile = (typeof profiles)[number];
