import type { Command } from 'commander';
import type { ClientChange } from '../management/clients.ts';
import { grantTypeNames } from '../oauth/grant-types.ts';
import { collect, readSeconds, readSwitch, readSwitchOrDefault } from './options.ts';

/** The options of `client create` and `client update`, as typed. */
export type ClientOptions = {
  name?: string;
  description?: string;
  homePage?: string;
  logo?: string;
  privacyLink?: string;
  termsLink?: string;
  public?: boolean;
  confidential?: boolean;
  redirectUri?: string[];
  allowInsecureRedirectUri?: boolean;
  postLogoutRedirectUri?: string[];
  backchannelLogoutUri?: string;
  scope?: string;
  grant?: string[];
  requirePkce?: string | true;
  requireClientAuthOnRefresh?: string | true;
  firstParty?: string | true;
  resourceServer?: string | true;
  iss?: boolean;
  idTokenAlg?: string;
  idTokenOnRefresh?: boolean;
  accessTokenTtl?: string;
  refreshTokenTtl?: string;
  refreshTokenMaxTtl?: string;
};

export function addClientOptions(command: Command): Command {
  return command
    .option('--description <text>', 'what it is')
    .option('--home-page <url>', 'where people find it')
    .option('--logo <file>', 'its picture, a PNG, JPEG, WebP or GIF file')
    .option('--privacy-link <url>', 'its privacy policy')
    .option('--terms-link <url>', 'its terms of use')
    .option('--public', 'an app that cannot keep a secret (single page, mobile); it must use PKCE')
    .option('--redirect-uri <uri>', 'where people are sent back to; may be repeated', collect)
    .option(
      '--allow-insecure-redirect-uri',
      'accept addresses with plain http elsewhere than on this device',
    )
    .option(
      '--post-logout-redirect-uri <uri>',
      'where people go after signing out; may be repeated',
      collect,
    )
    .option('--backchannel-logout-uri <uri>', 'where it is told that a session has ended')
    .option(
      '--scope <scopes>',
      'scopes it may ask, separated by spaces (all that are not sensitive)',
    )
    .option('--grant <type>', `${grantTypeNames.join(', ')}; may be repeated`, collect)
    .option('--require-pkce [on|off|default]', 'it must send a code_challenge')
    .option(
      '--require-client-auth-on-refresh [on|off|default]',
      'it must authenticate when it refreshes',
    )
    .option('--first-party [on|off]', 'people are not asked for consent')
    .option('--resource-server [on|off]', "may introspect other clients' tokens")
    .option('--iss', 'send iss with the answer (RFC 9207); the default')
    .option('--no-iss', 'send no iss, for libraries that fail on it')
    .option('--id-token-alg <alg>', 'RS256 or ES256')
    .option('--id-token-on-refresh', 'a refresh answer carries an ID token too; the default')
    .option('--no-id-token-on-refresh', 'only the first answer carries one')
    .option('--access-token-ttl <seconds>', 'life of its access tokens, or default')
    .option(
      '--refresh-token-ttl <seconds>',
      'its refresh tokens end when unused for so long, or default',
    )
    .option(
      '--refresh-token-max-ttl <seconds>',
      'its refresh tokens end after so long in any case, or default',
    );
}

/** The changes the options ask for; omitted options are omitted. */
export function readClientOptions(options: ClientOptions): ClientChange {
  const type = options.public ? 'public' : options.confidential ? 'confidential' : undefined;
  const { name, description, homePage, privacyLink, termsLink, backchannelLogoutUri, idTokenAlg } =
    options;
  return {
    ...{
      name,
      description,
      homePage,
      privacyLink,
      termsLink,
      backchannelLogoutUri,
      idTokenAlg,
      type,
    },
    redirectUris: options.redirectUri,
    allowInsecureRedirectUri: options.allowInsecureRedirectUri,
    postLogoutRedirectUris: options.postLogoutRedirectUri,
    grants: options.grant,
    scopes: options.scope === undefined ? undefined : readScopes(options.scope),
    requirePkce: readSwitchOrDefault('require-pkce', options.requirePkce),
    requireClientAuthOnRefresh: readSwitchOrDefault(
      'require-client-auth-on-refresh',
      options.requireClientAuthOnRefresh,
    ),
    firstParty: readSwitch('first-party', options.firstParty),
    resourceServer: readSwitch('resource-server', options.resourceServer),
    sendIss: options.iss,
    idTokenOnRefresh: options.idTokenOnRefresh,
    accessTokenTtl: readSeconds('access-token-ttl', options.accessTokenTtl),
    refreshTokenTtl: readSeconds('refresh-token-ttl', options.refreshTokenTtl),
    refreshTokenMaxTtl: readSeconds('refresh-token-max-ttl', options.refreshTokenMaxTtl),
  };
}

function readScopes(text: string): string[] | null {
  const names = text.split(/\s+/).filter(Boolean);
  return names.length > 0 ? names : null;
}
