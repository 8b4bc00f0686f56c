import { blocksOf, redirectsOf, stepsOf, trapOf } from '../infinite-scale.ts';
import { originOf } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';

const name = 'ownCloud Infinite Scale';

export const ocis = recipe({
  id: 'ocis',
  name,
  mark: 'owncloud',
  kind: 'program',
  summary: 'Files',
  questions: { address: originOf(name, 'https://ocis.example.org') },
  client: publicClient,
  redirectUris: redirectsOf,
  postLogoutRedirectUris: ({ address }) => [address, `${address}/`],
  steps: stepsOf(name),
  blocks: ({ address }, filling) => blocksOf({ id: 'ocis', prefix: 'OCIS' }, address, filling),
  trap: trapOf(name),
  source: {
    version: 'ownCloud Infinite Scale 7',
    pages: [
      'Authelia documentation: ownCloud Infinite Scale, OpenID Connect 1.0 integration',
      'Pocket ID documentation: oCIS',
      'owncloud/ocis: deployments/examples/ocis_keycloak',
    ],
    notChecked: [
      'The apps for desktops and phones, which have client IDs and secrets of their own.',
      'PROXY_USER_CS3_CLAIM and the mapping of roles, which are as in OpenCloud, its descendant.',
    ],
  },
  checked: 'documentation',
});
