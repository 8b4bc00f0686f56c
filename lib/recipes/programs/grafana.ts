import { composeEnvironment } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { ini } from '../text.ts';

/** A JMESPath expression, which Grafana applies to the claims. */
const roles =
  "contains(groups[*], 'grafana-admins') && 'Admin' || contains(groups[*], 'grafana-editors') && 'Editor' || 'Viewer'";

export const grafana = recipe({
  id: 'grafana',
  name: 'Grafana',
  mark: 'grafana',
  kind: 'program',
  summary: 'Dashboards and alerts',
  questions: { address: siteOf('Grafana', 'https://grafana.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/login/generic_oauth`],
  steps: [
    'Put the section into grafana.ini, or the variables into the container’s environment.',
    'Restart Grafana. The sign-in page now has a button.',
    'People in the group grafana-admins here become Admin there, those in grafana-editors Editor, everybody else Viewer. Make the groups, or write names of yours.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'grafana.ini',
      ...ini`
        [server]
        root_url = ${address}

        [auth.generic_oauth]
        enabled = true
        name = Gatehouse
        icon = signin
        client_id = ${clientId}
        client_secret = ${clientSecret}
        scopes = openid profile email groups
        auth_url = ${server.authorize}
        token_url = ${server.token}
        api_url = ${server.userinfo}
        login_attribute_path = preferred_username
        name_attribute_path = name
        role_attribute_path = ${{ verbatim: roles }}
        auth_style = InHeader
        use_pkce = true
      `,
    },
    composeEnvironment('grafana', {
      GF_SERVER_ROOT_URL: address,
      GF_AUTH_GENERIC_OAUTH_ENABLED: 'true',
      GF_AUTH_GENERIC_OAUTH_NAME: 'Gatehouse',
      GF_AUTH_GENERIC_OAUTH_ICON: 'signin',
      GF_AUTH_GENERIC_OAUTH_CLIENT_ID: clientId,
      GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET: clientSecret,
      GF_AUTH_GENERIC_OAUTH_SCOPES: 'openid profile email groups',
      GF_AUTH_GENERIC_OAUTH_AUTH_URL: server.authorize,
      GF_AUTH_GENERIC_OAUTH_TOKEN_URL: server.token,
      GF_AUTH_GENERIC_OAUTH_API_URL: server.userinfo,
      GF_AUTH_GENERIC_OAUTH_LOGIN_ATTRIBUTE_PATH: 'preferred_username',
      GF_AUTH_GENERIC_OAUTH_NAME_ATTRIBUTE_PATH: 'name',
      GF_AUTH_GENERIC_OAUTH_ROLE_ATTRIBUTE_PATH: roles,
      GF_AUTH_GENERIC_OAUTH_AUTH_STYLE: 'InHeader',
      GF_AUTH_GENERIC_OAUTH_USE_PKCE: 'true',
    }),
  ],
  trap: 'Grafana builds the redirect URI from root_url. The default is http://localhost:3000, and sign-in is refused.',
  source: {
    version: 'Grafana 13.1.0',
    pages: [
      'Grafana documentation: Configure generic OAuth authentication',
      'Authelia documentation: Grafana, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
