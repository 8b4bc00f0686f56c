import { originOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { shell } from '../text.ts';

export const vault = recipe({
  id: 'vault',
  name: 'HashiCorp Vault',
  mark: 'vault',
  appName: 'Vault',
  kind: 'program',
  summary: 'Secrets; OpenBao too',
  questions: { address: originOf('Vault', 'https://vault.example.org:8200') },
  client: { ...webClient, authentication: 'basic', pkce: 'by default' },
  redirectUris: ({ address }) => [
    `${address}/ui/vault/auth/oidc/oidc/callback`,
    // vault login -method=oidc
    'http://localhost:8250/oidc/callback',
  ],
  steps: [
    'Run the commands as someone who can change auth methods.',
    'Sign in with the method OIDC in the browser, or with: vault login -method=oidc.',
    'Give a group of this server its policies with the second text; everyone has those of the role as well.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'On the command line',
      ...shell`
        vault auth enable oidc
        vault write auth/oidc/config \
          oidc_discovery_url=${server.issuer} \
          oidc_client_id=${clientId} \
          oidc_client_secret=${clientSecret} \
          default_role=gatehouse
        vault write auth/oidc/role/gatehouse \
          role_type=oidc \
          user_claim=sub \
          oidc_scopes=profile,email,groups \
          groups_claim=groups \
          claim_mappings=preferred_username=username \
          allowed_redirect_uris=${`${address}/ui/vault/auth/oidc/oidc/callback`} \
          allowed_redirect_uris=http://localhost:8250/oidc/callback \
          token_policies=default
      `,
    },
    {
      title: 'What the group vault-admins may do',
      ...shell`
        group=$(vault write -field=id identity/group \
          name=vault-admins type=external policies=YOUR-POLICY)
        accessor=$(vault auth list -format=json | jq -r '.["oidc/"].accessor')
        vault write identity/group-alias name=vault-admins mount_accessor=$accessor canonical_id=$group
      `,
    },
  ],
  trap: 'Vault checks redirect URIs too: each must be listed exactly in the role’s allowed_redirect_uris and here.',
  source: {
    version: 'Vault 1.11',
    pages: [
      'Vault documentation: JWT/OIDC auth method',
      'Vault API documentation: JWT/OIDC auth method',
      'Authelia documentation: HashiCorp Vault, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
