import { publicClient, recipe } from '../recipe.ts';
import { shell, text } from '../text.ts';

export const kubelogin = recipe({
  id: 'kubelogin',
  name: 'kubectl with kubelogin',
  mark: 'kubernetes',
  appName: 'Kubernetes',
  kind: 'program',
  summary: 'Sign-in to Kubernetes',
  questions: {},
  client: publicClient,
  // The second one is used when the first port is taken.
  redirectUris: () => ['http://localhost:8000', 'http://localhost:18000'],
  homePage: () => null,
  steps: [
    'Add the flags to the API server. How depends on your distribution.',
    'On each person’s machine, install kubelogin (kubectl krew install oidc-login) and run the commands.',
    'Bind roles to groups of this server: the last command makes everybody in kubernetes-admins here an administrator of the cluster. A person is oidc: followed by the email address.',
  ],
  blocks: (_, { server, clientId }) => [
    {
      title: 'Flags of kube-apiserver',
      ...text`
        --oidc-issuer-url=${server.issuer}
        --oidc-client-id=${clientId}
        --oidc-username-claim=email
        --oidc-username-prefix=oidc:
        --oidc-groups-claim=groups
        --oidc-groups-prefix=oidc:
      `,
    },
    {
      title: 'On each person’s machine',
      ...shell`
        kubectl config set-credentials gatehouse \
          --exec-api-version=client.authentication.k8s.io/v1 \
          --exec-interactive-mode=Never \
          --exec-command=kubectl \
          --exec-arg=oidc-login \
          --exec-arg=get-token \
          --exec-arg=--oidc-issuer-url=${server.issuer} \
          --exec-arg=--oidc-client-id=${clientId} \
          --exec-arg=--oidc-extra-scope=email \
          --exec-arg=--oidc-extra-scope=groups \
          --exec-arg=--oidc-extra-scope=offline_access
        kubectl config set-context --current --user=gatehouse
      `,
    },
    {
      title: 'Once, as an administrator of the cluster',
      ...shell`
        kubectl create clusterrolebinding gatehouse-admins \
          --clusterrole=cluster-admin \
          --group=oidc:kubernetes-admins
      `,
    },
  ],
  trap: 'Kubernetes only accepts an https issuer. With the claim email, it refuses people whose address isn’t verified here.',
  source: {
    version: 'kubelogin 1.33.0',
    pages: [
      'kubelogin: Usage',
      'Kubernetes documentation: Authenticating, OpenID Connect Tokens',
      'Authelia documentation: Kube Login, OpenID Connect 1.0 integration',
    ],
    notChecked: ['A cluster: kubelogin was run by itself, and its ID token looked at.'],
  },
  checked: { byHand: '22 November 2026' },
});
