/** A plan of the suite, with what it is told about this server. */
export type Plan = {
  /** Its name at the suite. */
  name: string;
  variant: Record<string, string>;
  /** Variables of the server. */
  server: Record<string, string>;
  /** Whether its clients register themselves. */
  registers?: true;
};

/** By the names that `run.ts` takes. */
export const plans: Record<string, Plan> = {
  fapi2: {
    name: 'fapi2-security-profile-final-test-plan',
    variant: {
      openid: 'openid_connect',
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      fapi_profile: 'plain_fapi',
      authorization_request_type: 'simple',
    },
    server: { SECURITY_PROFILE: 'fapi' },
  },
  'fapi2-nonce': {
    name: 'fapi2-security-profile-final-test-plan',
    variant: {
      openid: 'openid_connect',
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      fapi_profile: 'plain_fapi',
      authorization_request_type: 'simple',
    },
    server: { SECURITY_PROFILE: 'fapi', REQUIRE_DPOP_NONCE: 'on' },
  },
  'fapi2-client-credentials': {
    name: 'fapi2-security-profile-final-test-plan',
    variant: {
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      fapi_profile: 'fapi_client_credentials_grant',
      authorization_request_type: 'simple',
    },
    server: { SECURITY_PROFILE: 'fapi' },
  },
  dynamic: {
    name: 'oidcc-dynamic-certification-test-plan',
    variant: { response_type: 'code' },
    server: { CLIENT_REGISTRATION: 'open' },
    registers: true,
  },
  'third-party-init': {
    name: 'oidcc-3rdparty-init-login-certification-test-plan',
    variant: { response_type: 'code' },
    server: { CLIENT_REGISTRATION: 'open' },
    registers: true,
  },
};
