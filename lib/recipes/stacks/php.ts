import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { php, shell } from '../text.ts';

export const phpApp = recipe({
  id: 'php',
  name: 'PHP',
  kind: 'stack',
  summary: 'jumbojett/openid-connect-php',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/login.php`],
  steps: ['Install the library and write the file.', 'Open /login.php.'],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        composer require jumbojett/openid-connect-php
      `,
    },
    {
      title: 'login.php',
      ...php`
        <?php
        require __DIR__ . '/vendor/autoload.php';

        use Jumbojett\OpenIDConnectClient;

        session_start();
        $oidc = new OpenIDConnectClient(${server.issuer}, ${clientId}, ${clientSecret});
        $oidc->setRedirectURL(${redirectUri});
        $oidc->addScope(['openid', 'profile', 'email']);
        $oidc->setCodeChallengeMethod('S256');
        // Sends the browser away and, when it is back, goes on.
        $oidc->authenticate();

        session_regenerate_id(true);
        $_SESSION['user'] = $oidc->requestUserInfo();
        header('Location: /');
      `,
    },
  ],
  trap: 'The file is its own redirect URI. If the address is rewritten, register it as the browser shows it, with or without .php.',
  source: {
    version: 'jumbojett/openid-connect-php 1',
    pages: ['OpenID-Connect-PHP: README'],
    notChecked: ['The file as a whole. It combines the README’s examples.'],
  },
  checked: 'documentation',
});
