import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, joined, shell } from '../text.ts';
import { insecureOption, keepingTokens } from './node-tokens.ts';

export const express = recipe({
  id: 'express',
  name: 'Express with Passport',
  mark: 'express',
  kind: 'stack',
  summary: 'JavaScript; passport and openid-client',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the libraries and write the file.',
    'Run it and open /login.',
    'request.user.claims says who signed in; key your accounts on its sub. accessTokenOf(request.user) is a live access token.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install express@5 express-session passport openid-client@6
      `,
    },
    {
      title: 'server.mjs',
      ...joined(
        '\n',
        javascript`
          import { randomBytes, randomUUID } from 'node:crypto';
          import express from 'express';
          import session from 'express-session';
          import * as client from 'openid-client';
          import { Strategy } from 'openid-client/passport';
          import passport from 'passport';

          const home = new URL(${address});
          const config = await client.discovery(
            new URL(${server.issuer}),
            ${clientId},
            ${clientSecret},${insecureOption(server.issuer)}
          );

          // Who is signed in. In memory: a database keeps them through a restart.
          const users = new Map();
          const options = {
            config,
            scope: 'openid profile email offline_access',
            callbackURL: ${redirectUri},
          };
          const strategy = new Strategy(options, (tokens, done) => {
            const user = { id: randomUUID(), ...kept(tokens) };
            users.set(user.id, user);
            done(null, user);
          });
          passport.use('gatehouse', strategy);
          passport.serializeUser((user, done) => done(null, user.id));
          passport.deserializeUser((id, done) => done(null, users.get(id) ?? false));

          const app = express();
          // A secret from your configuration keeps people signed in through a restart.
          const secret = randomBytes(32).toString('hex');
          const cookie = { sameSite: 'lax', secure: 'auto' };
          app.use(session({ secret, cookie, resave: false, saveUninitialized: false }));
          app.use(passport.session());

          app.get('/', (request, response) => {
            if (!request.user) return response.send('<a href="/login">Sign in</a>');
            response.send(
              '<p>Signed in as ' + request.user.claims.preferred_username + '</p>' +
                '<form method="post" action="/logout"><button>Sign out</button></form>',
            );
          });

          app.get('/login', passport.authenticate('gatehouse'));

          function saidNo(request, response, next) {
            if (request.query.error !== 'access_denied') return next();
            response.send('You said no. <a href="/login">Try again</a>');
          }
          app.get('/callback', saidNo, passport.authenticate('gatehouse', { successRedirect: '/' }));

          // What this server says of the person now.
          app.get('/me', async (request, response) => {
            if (!request.user) return response.redirect('/login');
            const token = await accessTokenOf(request.user);
            response.json(await client.fetchUserInfo(config, token, request.user.claims.sub));
          });

          // Out of this app, then out of Gatehouse.
          app.post('/logout', (request, response, next) => {
            const { id, idToken } = request.user ?? {};
            users.delete(id);
            const to = client.buildEndSessionUrl(config, {
              ...(idToken && { id_token_hint: idToken }),
              post_logout_redirect_uri: home.href,
            });
            request.logout((error) => (error ? next(error) : response.redirect(303, to.href)));
          });

          app.listen(home.port || 3000);
        `,
        keepingTokens,
      ),
    },
  ],
  trap: 'Behind a proxy, set app.set(‘trust proxy’, 1). Otherwise Express takes the request for plain http, and the redirect URI doesn’t match.',
  source: {
    version: 'openid-client 6.8.9, Passport 0.7, Express 5.3',
    pages: ['openid-client: API documentation of openid-client/passport'],
    notChecked: [],
  },
  checked: 'run',
});
