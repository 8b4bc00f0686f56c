import { composeEnvironment } from './blocks.ts';
import type { Block, Filling } from './recipe.ts';
import { yaml } from './text.ts';

/** The differences between ownCloud Infinite Scale and OpenCloud, its descendant. */
type Program = {
  /** Its service in Compose, its folder below `/etc`, and the prefix of its group names. */
  id: string;
  /** The prefix of its variables. */
  prefix: string;
  /** Variables that only this program has, made from the scopes it requests. */
  own?: (scopes: string) => Record<string, string>;
};

const scopes = 'openid profile email groups';

/** The redirect URIs of the program's web page. */
export const redirectsOf = ({ address }: { address: string }): string[] =>
  ['/', '/oidc-callback.html', '/oidc-silent-redirect.html'].map((path) => `${address}${path}`);

/** What to do in either program. */
export const stepsOf = (name: string): string[] => [
  `Add the variables to the environment of ${name} and put the two files beside its configuration.`,
  `Restart ${name}. It sends people here to sign in.`,
  'Everybody needs to be in one of the groups of proxy.yaml; who is in none is turned away.',
];

/** The most common mistake with either program. */
export const trapOf = (name: string): string =>
  `The page of ${name} may talk to this server only if csp.yaml names it. Access tokens are not JWTs here: PROXY_OIDC_ACCESS_TOKEN_VERIFY_METHOD has to be none.`;

/** The configuration of either program. */
export function blocksOf(
  { id, prefix, own }: Program,
  address: string,
  { server, clientId }: Filling,
): Block[] {
  return [
    composeEnvironment(id, {
      [`${prefix}_URL`]: address,
      [`${prefix}_OIDC_ISSUER`]: server.issuer,
      [`${prefix}_EXCLUDE_RUN_SERVICES`]: 'idp',
      ...own?.(scopes),
      WEB_OIDC_CLIENT_ID: clientId,
      WEB_OIDC_SCOPE: scopes,
      PROXY_OIDC_REWRITE_WELLKNOWN: 'true',
      PROXY_OIDC_ACCESS_TOKEN_VERIFY_METHOD: 'none',
      PROXY_USER_OIDC_CLAIM: 'preferred_username',
      PROXY_USER_CS3_CLAIM: 'username',
      PROXY_AUTOPROVISION_ACCOUNTS: 'true',
      PROXY_AUTOPROVISION_CLAIM_USERNAME: 'preferred_username',
      PROXY_ROLE_ASSIGNMENT_DRIVER: 'oidc',
      GRAPH_ASSIGN_DEFAULT_USER_ROLE: 'false',
      PROXY_CSP_CONFIG_FILE_LOCATION: `/etc/${id}/csp.yaml`,
    }),
    {
      title: 'proxy.yaml',
      ...yaml`
        role_assignment:
          driver: oidc
          oidc_role_mapper:
            role_claim: groups
            role_mapping:
              - role_name: admin
                claim_value: ${`${id}-admins`}
              - role_name: spaceadmin
                claim_value: ${`${id}-space-admins`}
              - role_name: user
                claim_value: ${`${id}-users`}
      `,
    },
    {
      title: 'csp.yaml, below directives → connect-src',
      ...yaml`
        - ${server.issuer}
      `,
    },
  ];
}
