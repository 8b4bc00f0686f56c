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
  names: 'expressjs, passport, passportjs, node, koa, nestjs, fastify, hono',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  backchannelLogoutUri: ({ address }) => `${address}/ended`,
  steps: [
    'Install the libraries and write the file.',
    'Run it and open /login.',
    'request.user.claims says who signed in; key your accounts on its sub. accessTokenOf(request.user) is a live access token.',
    'Gatehouse posts to /ended when somebody signs out there or is disabled; to your own machine only with BACKCHANNEL_TO_PRIVATE_ADDRESSES=on.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        npm install express@5 express-session passport openid-client@6 jose@6
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
          import { createRemoteJWKSet, jwtVerify } from 'jose';
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

          // Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out.
          app.get(['/', '/me'], async (request, response, next) => {
            if (request.user) await accessTokenOf(request.user);
            next();
          });

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
          function notStarted(request, response) {
            response.status(400).send('This browser didn’t start that. <a href="/login">Sign in</a>');
          }
          const finish = passport.authenticate('gatehouse', { failWithError: true });
          app.get('/callback', saidNo, finish, (request, response) => response.redirect('/'));
          app.use('/callback', (error, request, response, next) =>
            error.name === 'AuthenticationError' ? notStarted(request, response) : next(error),
          );

          // What this server says of the person now.
          app.get('/me', async (request, response) => {
            if (!request.user) return response.redirect('/login');
            const token = await accessTokenOf(request.user);
            response.json(await client.fetchUserInfo(config, token, request.user.claims.sub));
          });

          // Out of this app, then out of Gatehouse.
          app.post('/logout', (request, response, next) => {
            // A page of another site posts without the cookie, and ends nothing.
            if (!request.user) return response.redirect(303, '/');
            const { id, idToken } = request.user;
            users.delete(id);
            const to = client.buildEndSessionUrl(config, {
              id_token_hint: idToken,
              post_logout_redirect_uri: home.href,
            });
            request.logout((error) => (error ? next(error) : response.redirect(303, to.href)));
          });

          // Gatehouse says that somebody has signed out there, or was disabled.
          const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri));
          const event = 'http://schemas.openid.net/event/backchannel-logout';
          app.post('/ended', express.urlencoded({ limit: '20kb' }), async (request, response) => {
            const expected = {
              issuer: config.serverMetadata().issuer,
              audience: ${clientId},
              typ: 'logout+jwt',
              requiredClaims: ['iat', 'exp', 'jti', 'sid'],
            };
            const token = request.body?.logout_token ?? '';
            const { payload } = await jwtVerify(token, keys, expected).catch(() => ({}));
            if (!payload?.events?.[event] || 'nonce' in payload) return response.sendStatus(400);
            for (const { id, claims } of users.values())
              if (claims.sid === payload.sid) users.delete(id);
            response.sendStatus(204);
          });

          app.use((error, request, response, next) => {
            if (isOver(error)) users.delete(request.user?.id);
            const [status, words] = said(error);
            response.status(status).send(words);
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
