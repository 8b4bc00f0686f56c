import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const anyLibrary = recipe({
  id: 'any-library',
  name: 'Any library',
  kind: 'plain',
  summary: 'For a framework or program without a recipe of its own',
  names:
    'other framework, other language, other program, no recipe, generic oidc, generic oauth2, custom oidc provider, rust, axum, actix, rocket, elixir, phoenix, scala, play, kotlin, ktor, haskell, perl, c++, dart, flutter, react native, remix, nuxt, astro, solidstart, gatsby, electron, tauri, nestjs, hono, deno, bun, litestar, sanic, symfony, codeigniter, coldfusion, clojure, lua, openresty, unity, streamlit, n8n, home assistant, jenkins, sonarqube, zabbix, keycloak as a client',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Look in the documentation of your library for “OpenID Connect”, “OIDC” or “generic OAuth2”, and choose the authorization code flow with PKCE (S256). A library for Keycloak, Auth0 or Okta alone often works too: it only wants an issuer.',
    'Enter the values below. Most libraries need only the issuer and find the addresses by themselves; the others are there for those that do not.',
    'If the library chooses its own redirect URI, such as /auth/callback/oidc, register that one here: it is compared character by character.',
    'Key your accounts on sub, together with the issuer.',
    'Then try six things: an answer that this browser did not ask for is refused; Deny leads to a sentence and a way to try again; an expired access token is renewed once for all who wait; invalid_grant or a 401 ends the session in your app and offers to sign in again; a server that does not answer ends nothing; signing out ends the session here as well.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'What a library asks for',
      language: 'form',
      fields: [
        ['Issuer, authority, realm URL, provider URL', server.issuer],
        ['Discovery or well-known URL', server.discovery],
        ['Client ID, application ID, consumer key', clientId],
        ['Client secret, consumer secret', clientSecret],
        ['Redirect URI, callback URL, reply URL', redirectUri],
        ['Scopes', 'openid profile email offline_access'],
        ['Response type, flow', 'code'],
        ['PKCE', 'S256'],
        ['How the client authenticates', 'client_secret_basic or client_secret_post'],
        ['Signature of ID tokens', 'RS256'],
        ['Field for the user ID', 'sub'],
        ['Field for the name', 'preferred_username'],
      ],
    },
    {
      title: 'If it finds no addresses by itself',
      language: 'form',
      fields: [
        ['Authorization URL', server.authorize],
        ['Token URL', server.token],
        ['User info URL, profile URL', server.userinfo],
        ['JWKS URL, signing keys', server.jwks],
        ['Logout URL, end session endpoint', server.logout],
        ['Introspection URL', server.introspect],
        ['Revocation URL', server.revoke],
      ],
    },
  ],
  trap: 'A library that knows only OAuth 2.0, not OpenID Connect, checks no ID token: then ask user information who signed in, and check state yourself.',
  source: {
    version: 'OpenID Connect Core 1.0, RFC 6749, RFC 9700',
    pages: ['OpenID Connect Discovery 1.0 section 3', 'RFC 7636'],
    notChecked: ['What your library calls each of these.'],
  },
  checked: 'documentation',
});
