import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, shell } from '../text.ts';

export const nodeRed = recipe({
  id: 'node-red',
  name: 'Node-RED',
  mark: 'nodered',
  kind: 'program',
  summary: 'Flows between devices and services',
  questions: { address: siteOf('Node-RED', 'https://flows.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/auth/strategy/callback`],
  steps: [
    'Install the strategy where settings.js is.',
    'Replace adminAuth in settings.js and restart Node-RED.',
    'Everybody who may use this app has all rights in the editor. Say who that is on the app’s Access page here.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'Beside settings.js',
      ...shell`
        npm install passport-openidconnect
      `,
    },
    {
      title: 'In settings.js',
      ...javascript`
        adminAuth: {
          type: 'strategy',
          strategy: {
            name: 'openidconnect',
            label: 'Sign in with Gatehouse',
            icon: 'fa-openid',
            strategy: require('passport-openidconnect').Strategy,
            options: {
              issuer: ${server.issuer},
              authorizationURL: ${server.authorize},
              tokenURL: ${server.token},
              userInfoURL: ${server.userinfo},
              clientID: ${clientId},
              clientSecret: ${clientSecret},
              callbackURL: ${redirectUri},
              scope: ['profile', 'email'],
              verify: (issuer, profile, done) => done(null, profile),
            },
          },
          users: async (username) => ({ username, permissions: '*' }),
          // Seconds after which the editor asks again, so that people who are gone are out.
          sessionExpiryTime: 43200,
        },
      `,
    },
  ],
  trap: 'adminAuth protects the editor alone, not the addresses that flows serve. Those have settings of their own.',
  source: {
    version: 'Node-RED 5.0.7 with passport-openidconnect 0.1.2',
    pages: [
      'Node-RED documentation: Securing Node-RED, OAuth/OpenID based authentication',
      'Authelia documentation: Node-RED, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Node-RED',
    ],
    notChecked: [],
  },
  checked: 'run',
});
