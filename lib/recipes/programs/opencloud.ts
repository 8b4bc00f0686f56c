import { blocksOf, redirectsOf, stepsOf, trapOf } from '../infinite-scale.ts';
import { originOf } from '../questions.ts';
import { publicClient, recipe } from '../recipe.ts';
import { shell } from '../text.ts';

const name = 'OpenCloud';

/** The commands for its other apps, whose client IDs are built in. */
const otherApps = shell`
  npm run cli -- client create --id OpenCloudDesktop --name 'OpenCloud for desktops' --public \
    --redirect-uri http://127.0.0.1 --redirect-uri http://localhost
  npm run cli -- client create --id OpenCloudAndroid --name 'OpenCloud for Android' --public \
    --redirect-uri oc://android.opencloud.eu
  npm run cli -- client create --id OpenCloudIOS --name 'OpenCloud for iOS' --public \
    --redirect-uri oc://ios.opencloud.eu
`;

export const openCloud = recipe({
  id: 'opencloud',
  name,
  kind: 'program',
  summary: 'Files',
  questions: { address: originOf(name, 'https://cloud.example.org') },
  client: publicClient,
  redirectUris: redirectsOf,
  postLogoutRedirectUris: ({ address }) => [address, `${address}/`],
  steps: stepsOf(name),
  blocks: ({ address }, filling) => [
    ...blocksOf(
      {
        id: 'opencloud',
        prefix: 'OC',
        // Its web page reads its client ID from WebFinger.
        own: (scopes) => ({
          WEBFINGER_WEB_OIDC_CLIENT_ID: filling.clientId,
          WEBFINGER_WEB_OIDC_CLIENT_SCOPES: scopes,
        }),
      },
      address,
      filling,
    ),
    { title: 'Where Gatehouse runs: the apps for desktops and phones', ...otherApps },
  ],
  trap: trapOf(name),
  source: {
    version: 'OpenCloud 7.2',
    pages: [
      'OpenCloud documentation: Integrating external OpenID Connect Identity Providers',
      'Authelia documentation: openCloud, OpenID Connect 1.0 integration',
      'Pocket ID documentation: OpenCloud',
    ],
    notChecked: ['The apps for desktops and phones.'],
  },
  checked: 'documentation',
});
