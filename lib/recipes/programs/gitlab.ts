import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { ruby } from '../text.ts';

export const gitlab = recipe({
  id: 'gitlab',
  name: 'GitLab',
  mark: 'gitlab',
  kind: 'program',
  summary: 'Git hosting and pipelines',
  questions: { address: siteOf('GitLab', 'https://gitlab.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/users/auth/openid_connect/callback`],
  steps: [
    'Add the lines to /etc/gitlab/gitlab.rb.',
    'Run gitlab-ctl reconfigure. The sign-in page now has a button.',
    'People with an account connect it under Edit profile → Account.',
    'In paid editions, people in the group gitlab-admins here become administrators there.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: '/etc/gitlab/gitlab.rb',
      ...ruby`
        gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
        gitlab_rails['omniauth_block_auto_created_users'] = false
        gitlab_rails['omniauth_providers'] = [
          {
            name: 'openid_connect',
            label: 'Gatehouse',
            args: {
              name: 'openid_connect',
              scope: ['openid', 'profile', 'email', 'groups'],
              response_type: 'code',
              issuer: ${server.issuer},
              discovery: true,
              client_auth_method: 'basic',
              uid_field: 'sub',
              pkce: true,
              client_options: {
                identifier: ${clientId},
                secret: ${clientSecret},
                redirect_uri: ${redirectUri},
                # Read by GitLab Premium and Ultimate alone:
                gitlab: {
                  groups_attribute: 'groups',
                  admin_groups: ['gitlab-admins']
                }
              }
            }
          }
        ]
      `,
    },
  ],
  trap: 'GitLab only creates accounts for new people if omniauth_allow_single_sign_on names the provider, and keeps them blocked unless omniauth_block_auto_created_users is off.',
  source: {
    version: 'GitLab 16.9.0',
    pages: [
      'GitLab documentation: Use OpenID Connect as an authentication provider',
      'Authelia documentation: GitLab, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
