import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const harbor = recipe({
  id: 'harbor',
  name: 'Harbor',
  kind: 'program',
  summary: 'Container images',
  questions: { address: originOf('Harbor', 'https://harbor.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'not checked' },
  redirectUris: ({ address }) => [`${address}/c/oidc/callback`],
  steps: [
    'In Harbor, open Administration → Configuration → Authentication and choose OIDC.',
    'Fill in the form, choose “Test OIDC Server” and save.',
    'People in the group harbor-admins here become administrators there. All their groups can be made members of projects.',
    'For docker login, people use the CLI secret from their user profile.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Administration → Configuration → Authentication', {
      'Auth Mode': 'OIDC',
      'OIDC Provider Name': 'Gatehouse',
      'OIDC Endpoint': server.issuer,
      'OIDC Client ID': clientId,
      'OIDC Client Secret': clientSecret,
      'OIDC Scope': 'openid,profile,email,groups,offline_access',
      'Group Claim Name': 'groups',
      'OIDC Admin Group': 'harbor-admins',
      'Verify Certificate': 'ticked',
      'Automatic onboarding': 'ticked',
      'Username Claim': 'preferred_username',
    }),
  ],
  trap: 'Harbor only offers OIDC while admin is its only user, and its scopes are separated by commas.',
  source: {
    version: 'Harbor 2.11.2',
    pages: [
      'Harbor documentation: Configure OIDC Provider Authentication',
      'Authelia documentation: Harbor, OpenID Connect 1.0 integration',
    ],
    notChecked: ['Whether Harbor sends PKCE.'],
  },
  checked: 'documentation',
});
