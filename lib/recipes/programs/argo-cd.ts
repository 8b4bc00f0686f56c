import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { literal, shell, yaml } from '../text.ts';

export const argoCd = recipe({
  id: 'argo-cd',
  name: 'Argo CD',
  mark: 'argo',
  kind: 'program',
  summary: 'Deployments to Kubernetes',
  questions: { address: siteOf('Argo CD', 'https://argocd.example.org') },
  client: { ...webClient, authentication: 'basic', pkce: 'no' },
  redirectUris: ({ address }) => [`${address}/auth/callback`],
  postLogoutRedirectUris: ({ address }) => [address],
  steps: [
    'Put the client secret into the secret argocd-secret.',
    'Add the two keys to the config map argocd-cm. The change takes effect on its own.',
    'Add the lines to the config map argocd-rbac-cm: people in the group argocd-admins here become administrators there.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'Keep the secret in the cluster',
      ...shell`
        kubectl -n argocd patch secret argocd-secret --type merge \
          -p ${`{"stringData":{"oidc.gatehouse.clientSecret":${literal('json', clientSecret)}}}`}
      `,
    },
    {
      title: 'argocd-cm.yaml',
      ...yaml`
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: argocd-cm
          namespace: argocd
          labels:
            app.kubernetes.io/name: argocd-cm
            app.kubernetes.io/part-of: argocd
        data:
          url: ${address}
          oidc.config: |
            name: Gatehouse
            issuer: ${server.issuer}
            clientID: ${clientId}
            clientSecret: $oidc.gatehouse.clientSecret
            requestedScopes: [openid, profile, email, groups]
      `,
    },
    {
      title: 'argocd-rbac-cm.yaml',
      ...yaml`
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: argocd-rbac-cm
          namespace: argocd
          labels:
            app.kubernetes.io/name: argocd-rbac-cm
            app.kubernetes.io/part-of: argocd
        data:
          policy.default: role:readonly
          policy.csv: |
            g, argocd-admins, role:admin
          scopes: '[groups, email]'
      `,
    },
  ],
  trap: 'argocd login --sso returns to http://localhost:8085 without a secret. It needs its own public client, set as cliClientID.',
  source: {
    version: 'Argo CD, its documentation of August 2026',
    pages: [
      'Argo CD documentation: User Management, Existing OIDC Provider',
      'Argo CD documentation: RBAC Configuration',
      'Authelia documentation: Argo CD, OpenID Connect 1.0 integration',
    ],
    notChecked: [],
  },
  checked: 'documentation',
});
