import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { javascript, onlyIf, shell } from '../text.ts';

export const express = recipe({
  id: 'express',
  name: 'Express with Passport',
  kind: 'stack',
  summary: 'JavaScript; passport and openid-client',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the libraries and write the file.',
    'Run it and open /login.',
    'request.user has the claims of the person who signed in.',
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
      ...javascript`
        import { randomBytes } from 'node:crypto';
        import express from 'express';
        import session from 'express-session';
        import * as client from 'openid-client';
        import { Strategy } from 'openid-client/passport';
        import passport from 'passport';

        const home = new URL(${address});
        const config = await client.discovery(
          new URL(${server.issuer}),
          ${clientId},
          ${clientSecret},${onlyIf(
            server.issuer.startsWith('http:'),
            '\n  undefined,\n  // Only while the issuer has no https.\n  { execute: [client.allowInsecureRequests] },',
          )}
        );
        const options = { config, scope: 'openid profile email', callbackURL: ${redirectUri} };
        passport.use('gatehouse', new Strategy(options, (tokens, done) => done(null, tokens.claims())));
        passport.serializeUser((user, done) => done(null, user));
        passport.deserializeUser((user, done) => done(null, user));

        const app = express();
        // A secret from your configuration keeps people signed in through a restart.
        const secret = randomBytes(32).toString('hex');
        app.use(session({ secret, resave: false, saveUninitialized: false }));
        app.use(passport.session());
        app.get('/login', passport.authenticate('gatehouse'));
        app.get('/callback', passport.authenticate('gatehouse', { successRedirect: '/' }));
        app.get('/', (request, response) => {
          if (request.user) response.json(request.user);
          else response.send('<a href="/login">Sign in</a>');
        });
        app.listen(home.port || 3000);
      `,
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
