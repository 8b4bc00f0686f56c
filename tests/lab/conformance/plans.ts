/** A plan of the suite, and what the suite is told about this server. */
export type Plan = {
  /** The plan's name in the suite. */
  name: string;
  variant: Record<string, string>;
  /** Environment variables of the server. */
  server: Record<string, string>;
  /** How its clients authenticate, or that they register themselves. */
  clients: 'key' | 'secret' | 'registered';
  /** The scope they request, if not `openid profile email`. */
  scope?: string;
  /** Modules that cannot pass here, by name, with the reason. */
  explained?: Readonly<Record<string, string>>;
};

const fapi = { SECURITY_PROFILE: 'fapi' };
const strict = { SECURITY_PROFILE: 'strict' };

const fapi2 = (variant: Record<string, string>, server: Record<string, string> = {}): Plan => ({
  name: 'fapi2-security-profile-final-test-plan',
  variant: {
    client_auth_type: 'private_key_jwt',
    sender_constrain: 'dpop',
    fapi_profile: 'plain_fapi',
    authorization_request_type: 'simple',
    ...variant,
  },
  server: { ...fapi, ...server },
  clients: 'key',
});
const openid = { openid: 'openid_connect' };

/** Variants for clients that are created beforehand and authenticate with a secret. */
const made = { server_metadata: 'discovery', client_registration: 'static_client' };
const code = { response_type: 'code', client_registration: 'static_client' };

const oidcc = (
  name: string,
  variant: Record<string, string>,
  server: Record<string, string> = {},
): Plan => ({ name: `oidcc-${name}`, variant, server, clients: 'secret' });

const registered = (name: string, variant: Record<string, string>): Plan => ({
  ...oidcc(name, variant, { CLIENT_REGISTRATION: 'open' }),
  clients: 'registered',
});

const everything = {
  client_auth_type: 'client_secret_basic',
  response_type: 'code',
  response_mode: 'default',
};

const requestObject =
  'It sends a request object and its answer is to go where that says. Request objects are not read here.';
const shown =
  'It wants an error to be sent to an app that registered itself, while nobody who has allowed it is signed in. It is shown here (RFC 9700 section 4.11.2).';
const implicit = 'It wants the implicit flow, which is not here (RFC 9700 section 2.1.2).';
const sector =
  'It gives a sector_identifier_uri. Who registers has one host here, and that is its sector.';
const signedUserInfo = 'It wants signed user information, which is not here.';
const requestUri =
  'It wants request_uri of an app’s own, which is not here: this server calls no address that strangers name.';
const audience =
  'Its assertions are for the address of the token endpoint. Here aud is the issuer and nothing else (FAPI 2.0 section 5.3.2.1).';

/**
 * The modules of the dynamic plan that need a token, where every client authenticates with
 * assertions.
 */
const byAssertion = [
  'server',
  'idtoken-rs256',
  'redirect-uri-query-OK',
  'registration-jwks-uri',
  'refresh-token',
  'refresh-token-rp-key-rotation',
];

/** The plans, by the names that `run.ts` takes. */
export const plans: Readonly<Record<string, Plan>> = {
  fapi2: fapi2(openid),
  'fapi2-nonce': fapi2(openid, { REQUIRE_DPOP_NONCE: 'on' }),
  'fapi2-oauth': { ...fapi2({ openid: 'plain_oauth' }), scope: 'profile email' },
  'fapi2-client-credentials': {
    ...fapi2({ openid: 'plain_oauth', fapi_profile: 'fapi_client_credentials_grant' }),
    scope: 'accounts',
  },
  config: oidcc('config-certification-test-plan', {}),
  'config-strict': oidcc('config-certification-test-plan', {}, strict),
  basic: oidcc('basic-certification-test-plan', made),
  'basic-strict': oidcc('basic-certification-test-plan', made, strict),
  'form-post': {
    ...oidcc('formpost-basic-certification-test-plan', made),
    explained: {
      'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': requestObject,
    },
  },
  'rp-initiated-logout': oidcc('rp-initiated-logout-certification-test-plan', code),
  'back-channel-logout': oidcc('backchannel-rp-initiated-logout-certification-test-plan', code),
  comprehensive: oidcc('test-plan', { ...everything, client_registration: 'static_client' }),
  'comprehensive-registered': {
    ...registered('test-plan', { ...everything, client_registration: 'dynamic_client' }),
    explained: {
      'oidcc-discovery-endpoint-verification': implicit,
      'oidcc-registration-sector-uri': sector,
      'oidcc-userinfo-rs256': signedUserInfo,
      'oidcc-request-uri-unsigned': requestUri,
      'oidcc-request-uri-signed-rs256': requestUri,
      'oidcc-prompt-none-not-logged-in': shown,
      'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': shown,
    },
  },
  dynamic: {
    ...registered('dynamic-certification-test-plan', { response_type: 'code' }),
    explained: {
      ...Object.fromEntries(byAssertion.map((name) => [`oidcc-${name}`, audience])),
      'oidcc-userinfo-rs256': signedUserInfo,
      'oidcc-discovery-endpoint-verification': implicit,
      'oidcc-registration-sector-uri': sector,
      'oidcc-request-uri-unsigned': requestUri,
      'oidcc-request-uri-signed-rs256': requestUri,
    },
  },
  'third-party-init': registered('3rdparty-init-login-certification-test-plan', {
    response_type: 'code',
  }),
};
