import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { env, javascript, shell } from '../text.ts';

export const nextjs = recipe({
  id: 'nextjs',
  name: 'Next.js with Auth.js',
  mark: 'nextdotjs',
  kind: 'stack',
  summary: 'React on a server',
  names: 'react, vercel, authjs, nextauth, next-auth, server components',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/api/auth/callback/gatehouse`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install Auth.js and write the files.',
    'Start the app and open /sign-in.',
    'On the server, auth() says who is signed in. proxy.js lets it ask Gatehouse again when an hour is over; before Next.js 16, the file is middleware.js, and the function middleware.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, freshSecret }) => [
    {
      title: 'In your project',
      ...shell`
        npm install next-auth@5.0.0-beta.32
      `,
    },
    {
      title: '.env.local',
      ...env`
        AUTH_URL=${address}
        AUTH_GATEHOUSE_ISSUER=${server.issuer}
        AUTH_GATEHOUSE_ID=${clientId}
        AUTH_GATEHOUSE_SECRET=${clientSecret}
        # Random, made for you just now. Another one: openssl rand -hex 32
        AUTH_SECRET=${freshSecret}
      `,
    },
    {
      title: 'auth.js',
      ...javascript`
        import NextAuth from 'next-auth';

        const { AUTH_GATEHOUSE_ISSUER, AUTH_GATEHOUSE_ID, AUTH_GATEHOUSE_SECRET } = process.env;

        /** What the encrypted cookie keeps of a token answer. A refresh may leave out what stays. */
        function kept(token, answer) {
          return {
            ...token,
            // For signing out.
            idToken: answer.id_token ?? token.idToken,
            refreshToken: answer.refresh_token ?? token.refreshToken,
            // A little early, so that no request meets its end.
            expiresAt: Date.now() + (answer.expires_in - 30) * 1000,
          };
        }

        /** Asks Gatehouse whether the sign-in goes on. Null if it is over. */
        async function renewed(token) {
          const credentials = btoa(AUTH_GATEHOUSE_ID + ':' + AUTH_GATEHOUSE_SECRET);
          const answer = await fetch(AUTH_GATEHOUSE_ISSUER + '/oauth/token', {
            method: 'POST',
            headers: { authorization: 'Basic ' + credentials },
            body: new URLSearchParams({
              grant_type: 'refresh_token',
              refresh_token: token.refreshToken,
            }),
          });
          const tokens = await answer.json();
          if (answer.ok) return kept(token, tokens);
          if (tokens.error === 'invalid_grant') return null;
          throw new Error(tokens.error);
        }

        /** Like renewed. While Gatehouse is away it stays as it is, and the next request asks. */
        function renewedIfPossible(token) {
          return renewed(token).catch((error) => {
            console.error(error);
            return token;
          });
        }

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
          pages: { signIn: '/sign-in', error: '/sign-in' },
          callbacks: {
            jwt({ token, account }) {
              if (account) return kept(token, account);
              return Date.now() < token.expiresAt ? token : renewedIfPossible(token);
            },
          },
        });
      `,
    },
    {
      // Pages cannot set the cookie that a renewal changes.
      title: 'proxy.js',
      ...javascript`
        export { auth as proxy } from './auth';

        export const config = { matcher: ['/((?!api/|_next/).*)'] };
      `,
    },
    {
      title: 'app/api/auth/[...nextauth]/route.js',
      ...javascript`
        import { handlers } from '../../../../auth';

        export const { GET, POST } = handlers;
      `,
    },
    {
      title: 'app/sign-in/page.js',
      ...javascript`
        import { auth, signIn } from '../../auth';

        async function start() {
          'use server';
          await signIn('gatehouse', { redirectTo: '/sign-in' });
        }

        export default async function SignIn({ searchParams }) {
          const [session, { error }] = await Promise.all([auth(), searchParams]);
          if (session)
            return (
              <form action="/sign-out" method="post">
                <p>Signed in as {session.user.email}</p>
                <button>Sign out</button>
              </form>
            );
          return (
            <form action={start}>
              {error && <p>{error === 'OAuthCallbackError' ? 'You said no.' : 'That didn’t work.'}</p>}
              <button>{error ? 'Try again' : 'Sign in'}</button>
            </form>
          );
        }
      `,
    },
    {
      title: 'app/sign-out/route.js',
      ...javascript`
        import { getToken } from 'next-auth/jwt';
        import { signOut } from '../../auth';

        const { AUTH_URL, AUTH_SECRET, AUTH_GATEHOUSE_ISSUER } = process.env;

        // Out of this app, then out of Gatehouse.
        export async function POST(request) {
          const secureCookie = AUTH_URL.startsWith('https:');
          const token = await getToken({ req: request, secret: AUTH_SECRET, secureCookie });
          // A page of another site posts without the cookie, and ends nothing.
          if (!token) return Response.redirect(AUTH_URL + '/', 303);
          await signOut({ redirect: false });
          const query = new URLSearchParams({
            id_token_hint: token.idToken,
            post_logout_redirect_uri: AUTH_URL + '/',
          });
          return Response.redirect(AUTH_GATEHOUSE_ISSUER + '/oauth/logout?' + query, 303);
        }
      `,
    },
  ],
  trap: 'A provider of type “oauth” without an issuer rejects the iss that this server sends. Keep type “oidc” and the issuer.',
  source: {
    version: 'next-auth 5.0.0-beta.32, Next.js 16.4',
    pages: ['Auth.js documentation: Configuring an OAuth provider'],
    notChecked: [],
  },
  checked: 'run',
});
