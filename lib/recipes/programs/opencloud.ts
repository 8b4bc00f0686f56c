import { composeEnvironment } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { shell, yaml } from '../text.ts';

export const openCloud = recipe({
  id: 'opencloud',
  name: 'OpenCloud',
  kind: 'program',
  summary: 'Files',
  questions: { address: originOf('OpenCloud', 'https://cloud.example.org') },
  client: publicClient,
  redirectUris: ({ address }) =>
    ['/', '/oidc-callback.html', '/oidc-silent-redirect.html'].map((path) => `${address}${path}`),
  postLogoutRedirectUris: ({ address }) => [address, `${address}/`],
  steps: [
    'Add the variables to the environment of OpenCloud and put the two files beside its configuration.',
    'Restart OpenCloud. It sends people here to sign in.',
    'Everybody needs to be in one of the groups of proxy.yaml; who is in none is turned away.',
  ],
  blocks: ({ address }, { server, clientId }) => [
    composeEnvironment('opencloud', {
      OC_URL: address,
      OC_OIDC_ISSUER: server.issuer,
      OC_EXCLUDE_RUN_SERVICES: 'idp',
      WEBFINGER_WEB_OIDC_CLIENT_ID: clientId,
      WEBFINGER_WEB_OIDC_CLIENT_SCOPES: 'openid profile email groups',
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
      PROXY_CSP_CONFIG_FILE_LOCATION: '/etc/opencloud/csp.yaml',
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
                claim_value: opencloud-admins
              - role_name: spaceadmin
                claim_value: opencloud-space-admins
              - role_name: user
                claim_value: opencloud-users
      `,
    },
    {
      title: 'Where Gatehouse runs: the apps for desktops and phones',
      ...shell`
        npm run cli -- client create --id OpenCloudDesktop --name 'OpenCloud for desktops' --public \
          --redirect-uri http://127.0.0.1 --redirect-uri http://localhost
        npm run cli -- client create --id OpenCloudAndroid --name 'OpenCloud for Android' --public \
          --redirect-uri oc://android.opencloud.eu
        npm run cli -- client create --id OpenCloudIOS --name 'OpenCloud for iOS' --public \
          --redirect-uri oc://ios.opencloud.eu
      `,
    },
    {
      title: 'csp.yaml, below directives → connect-src',
      ...yaml`
        - ${server.issuer}
      `,
    },
  ],
  trap: 'The page of OpenCloud may talk to this server only if csp.yaml names it. Access tokens are not JWTs here: PROXY_OIDC_ACCESS_TOKEN_VERIFY_METHOD has to be none.',
  source: {
    version: 'OpenCloud 7.2',
    pages: [
      'OpenCloud documentation: Integrating external OpenID Connect Identity Providers',
      'Authelia documentation: openCloud, OpenID Connect 1.0 integration',
      'Pocket ID documentation: OpenCloud',
    ],
    notChecked: ['The apps for desktops and phones.'],
  },
  checked: 'documentation',
});
