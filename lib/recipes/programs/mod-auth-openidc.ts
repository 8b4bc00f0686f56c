import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { apache } from '../text.ts';

export const modAuthOpenidc = recipe({
  id: 'mod-auth-openidc',
  name: 'Apache with mod_auth_openidc',
  appName: '',
  kind: 'program',
  summary: 'Sign-in for anything that Apache serves',
  questions: { address: originOf('your Apache site', 'https://www.example.org') },
  // The module takes an error with `iss` for the start of a sign-in, and hides the error.
  client: { ...webClient, authentication: 'basic', pkce: 'by the text', sendIss: false },
  redirectUris: ({ address }) => [`${address}/oidc/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the module (Debian: libapache2-mod-auth-openidc) and turn it on with a2enmod auth_openidc.',
    'Put the lines into the virtual host.',
    'Reload Apache. The variable REMOTE_USER and the headers OIDC_CLAIM_… say who signed in, OIDC_CLAIM_groups in which groups they are.',
  ],
  blocks: (_, { server, clientId, clientSecret, redirectUri, freshSecret }) => [
    {
      title: 'The virtual host',
      ...apache`
        OIDCProviderMetadataURL ${server.discovery}
        OIDCClientID ${clientId}
        OIDCClientSecret ${clientSecret}
        # An address that belongs to the module: nothing of yours may be there.
        OIDCRedirectURI ${redirectUri}
        OIDCCryptoPassphrase ${freshSecret}
        OIDCScope "openid profile email groups"
        OIDCRemoteUserClaim preferred_username
        OIDCPKCEMethod S256

        <Location "/">
          AuthType openid-connect
          Require valid-user
        </Location>

        # Only for people in the group editors here:
        <Location "/editors">
          AuthType openid-connect
          Require claim groups:editors
        </Location>
      `,
    },
  ],
  trap: 'OIDCRedirectURI must be inside a protected Location and must not point to a page of yours.',
  source: {
    version: 'mod_auth_openidc 2.4.12.3',
    pages: ['mod_auth_openidc: README and auth_openidc.conf'],
    notChecked: ['Whether newer versions of the module accept iss in errors.'],
  },
  checked: 'run',
});
