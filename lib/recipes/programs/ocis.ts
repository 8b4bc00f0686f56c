import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { yaml } from '../text.ts';

export const ocis = recipe({
  id: 'ocis',
  name: 'ownCloud Infinite Scale',
  kind: 'program',
  summary: 'Files',
  questions: { address: originOf('ownCloud Infinite Scale', 'https://ocis.example.org') },
  client: publicClient,
  redirectUris: ({ address }) =>
    ['/', '/oidc-callback.html', '/oidc-silent-redirect.html'].map((path) => `${address}${path}`),
  postLogoutRedirectUris: ({ address }) => [address, `${address}/`],
  steps: [
    'Add the variables to the environment of ownCloud Infinite Scale and put the two files beside its configuration.',
    'Restart ownCloud Infinite Scale. It sends people here to sign in.',
    'Everybody needs to be in one of the groups of proxy.yaml; who is in none is turned away.',
  ],
  blocks: ({ address }, { server, clientId }) => [
    composeEnvironment('ocis', {
      OCIS_URL: address,
      OCIS_OIDC_ISSUER: server.issuer,
      OCIS_EXCLUDE_RUN_SERVICES: 'idp',
      WEB_OIDC_CLIENT_ID: clientId,
      WEB_OIDC_SCOPE: 'openid profile email groups',
      PROXY_OIDC_REWRITE_WELLKNOWN: 'true',
      PROXY_OIDC_ACCESS_TOKEN_VERIFY_METHOD: 'none',
      PROXY_USER_OIDC_CLAIM: 'preferred_username',
      PROXY_USER_CS3_CLAIM: 'username',
      PROXY_AUTOPROVISION_ACCOUNTS: 'true',
      PROXY_AUTOPROVISION_CLAIM_USERNAME: 'preferred_username',
      PROXY_ROLE_ASSIGNMENT_DRIVER: 'oidc',
      GRAPH_ASSIGN_DEFAULT_USER_ROLE: 'false',
      PROXY_CSP_CONFIG_FILE_LOCATION: '/etc/ocis/csp.yaml',
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
                claim_value: ocis-admins
              - role_name: spaceadmin
                claim_value: ocis-space-admins
              - role_name: user
                claim_value: ocis-users
      `,
    },
    {
      title: 'csp.yaml, below directives → connect-src',
      ...yaml`
        - ${server.issuer}
      `,
    },
  ],
  trap: 'The page of ownCloud Infinite Scale may talk to this server only if csp.yaml names it. Access tokens are not JWTs here: PROXY_OIDC_ACCESS_TOKEN_VERIFY_METHOD has to be none.',
  source: {
    version: 'ownCloud Infinite Scale 7',
    pages: [
      'Authelia documentation: ownCloud Infinite Scale, OpenID Connect 1.0 integration',
      'Pocket ID documentation: oCIS',
      'owncloud/ocis: deployments/examples/ocis_keycloak',
    ],
    notChecked: [
      'The apps for desktops and phones, which have client IDs and secrets of their own.',
      'PROXY_USER_CS3_CLAIM and the mapping of roles, which are as in OpenCloud, its descendant.',
    ],
  },
  checked: 'documentation',
});
