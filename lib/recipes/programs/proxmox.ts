import { form } from '../blocks.ts';
import { originOf, providerName } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const proxmox = recipe({
  id: 'proxmox',
  name: 'Proxmox VE',
  mark: 'proxmox',
  kind: 'program',
  summary: 'Virtual machines; Proxmox Backup Server too',
  questions: {
    address: originOf('Proxmox', 'https://pve.example.org:8006'),
    realm: {
      ...providerName('Name of the realm in Proxmox'),
      hint: 'People appear in Proxmox as name@realm.',
    },
  },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [address],
  steps: [
    'In Proxmox, open Datacenter → Permissions → Realms → Add → OpenID Connect Server.',
    'Fill in the form, or run the command on one of the hosts instead.',
    'Sign out and choose the realm on the sign-in page.',
    'Groups of this server appear there as name-realm, and their people follow at each sign-in. Give them, or single people, a role under Datacenter → Permissions: everybody starts with none.',
  ],
  blocks: ({ realm }, { server, clientId, clientSecret }) => [
    form('Datacenter → Permissions → Realms → Add → OpenID Connect Server', {
      'Issuer URL': server.issuer,
      Realm: realm,
      'Client ID': clientId,
      'Client Key': clientSecret,
      'Autocreate Users': 'ticked',
      'Username Claim': 'username',
      Scopes: 'openid email profile groups',
      'Groups Claim': 'groups',
      'Autocreate Groups': 'ticked',
      'Overwrite Groups': 'ticked',
    }),
    {
      title: 'Or on the command line of a host',
      ...shell`
        pveum realm add ${realm} --type openid \
          --issuer-url ${server.issuer} \
          --client-id ${clientId} \
          --client-key ${clientSecret} \
          --autocreate 1 \
          --username-claim username \
          --scopes 'openid email profile groups' \
          --groups-claim groups \
          --groups-autocreate 1 \
          --groups-overwrite 1
      `,
    },
  ],
  trap: 'The username claim can’t be changed once the realm exists. The redirect URI is the browser’s address with its port, so every name and port that people use needs its own.',
  source: {
    version: 'Proxmox VE 9',
    pages: [
      'Authelia documentation: Proxmox, OpenID Connect 1.0 integration',
      'Pocket ID documentation: Proxmox',
      'Proxmox VE documentation: User Management, OpenID Connect',
    ],
    notChecked: ['The command line: its options come from the pveum manual and are untested.'],
  },
  checked: 'documentation',
});
