import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { env, javascript, shell } from '../text.ts';

export const nextjs = recipe({
  id: 'nextjs',
  name: 'Next.js with Auth.js',
  kind: 'stack',
  summary: 'React on a server',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/auth/callback/gatehouse`],
  steps: [
    'Install Auth.js and write the files.',
    'Start the app and open /api/auth/signin.',
    'On the server, auth() says who is signed in.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'In your project',
      ...shell`
        npm install next-auth@beta
        npx auth secret
      `,
    },
    {
      title: '.env.local',
      ...env`
        AUTH_URL=${address}
        AUTH_GATEHOUSE_ISSUER=${server.issuer}
        AUTH_GATEHOUSE_ID=${clientId}
        AUTH_GATEHOUSE_SECRET=${clientSecret}
      `,
    },
    {
      title: 'auth.js',
      ...javascript`
        import NextAuth from 'next-auth';

        export const { handlers, signIn, signOut, auth } = NextAuth({
          providers: [
            {
              id: 'gatehouse',
              name: 'Gatehouse',
              type: 'oidc',
              // Issuer, id and secret are in the variables AUTH_GATEHOUSE_….
              checks: ['pkce', 'state', 'nonce'],
            },
          ],
        });
      `,
    },
    {
      title: 'app/api/auth/[...nextauth]/route.js',
      ...javascript`
        import { handlers } from '../../../../auth';

        export const { GET, POST } = handlers;
      `,
    },
  ],
  trap: 'A provider of type “oauth” without an issuer rejects the iss that this server sends. Keep type “oidc” and the issuer.',
  source: {
    version: '@auth/core 0.41.3, which next-auth 5 binds to Next.js',
    pages: ['Auth.js documentation: Configuring an OAuth provider'],
    notChecked: ['The files in a Next.js app. Our tests run auth.js with @auth/core directly.'],
  },
  checked: 'run',
});
