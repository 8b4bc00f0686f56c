import { form } from '../blocks.ts';
import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';

export const audiobookshelf = recipe({
  id: 'audiobookshelf',
  name: 'Audiobookshelf',
  mark: 'audiobookshelf',
  kind: 'program',
  summary: 'Audiobooks and podcasts',
  questions: { address: originOf('Audiobookshelf', 'https://books.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  // The first pair is for a server that leaves "Subfolder for Redirect URLs" at its default.
  redirectUris: ({ address }) =>
    ['/audiobookshelf', ''].flatMap((folder) => [
      `${address}${folder}/auth/openid/callback`,
      `${address}${folder}/auth/openid/mobile-redirect`,
    ]),
  postLogoutRedirectUris: ({ address }) => [`${address}/audiobookshelf/login`, `${address}/login`],
  steps: [
    'In Audiobookshelf, open Settings → Authentication and tick “OpenID Connect Authentication”.',
    'Enter the issuer and choose “Auto-populate”, then fill in the rest.',
    'Save. The sign-in page now has a button.',
    'With “Group Claim” filled in, everyone has to be in a group admin, user or guest here; people in none of them are turned away.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Settings → Authentication → OpenID Connect Authentication', {
      'Issuer URL': server.issuer,
      'Authorize URL': server.authorize,
      'Token URL': server.token,
      'Userinfo URL': server.userinfo,
      'JWKS URL': server.jwks,
      'Logout URL': server.logout,
      'Client ID': clientId,
      'Client Secret': clientSecret,
      'Signing Algorithm': 'RS256',
      'Allowed Mobile Redirect URIs': 'audiobookshelf://oauth',
      'Button Text': 'Sign in with Gatehouse',
      'Match existing users by': 'Match by username',
      'Auto Register': 'on',
    }),
    form('Roles by group, if you want them', { 'Group Claim': 'groups' }),
  ],
  trap: 'Matching by username gives an account there to anyone with the same username here: turn USERNAME_CHANGE off, or choose no matching. Newer versions put /audiobookshelf before the redirect path (“Subfolder for Redirect URLs”): both spellings are registered here.',
  source: {
    version: 'Audiobookshelf 2.36.0',
    pages: [
      'Authelia documentation: audiobookshelf, OpenID Connect 1.0 integration',
      'Audiobookshelf: source of the OpenID Connect strategy',
    ],
    notChecked: ['The default of “Subfolder for Redirect URLs” in each version.'],
  },
  checked: { byHand: '22 November 2026' },
});
