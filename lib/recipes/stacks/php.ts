import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { php, shell } from '../text.ts';

export const phpApp = recipe({
  id: 'php',
  name: 'PHP',
  kind: 'stack',
  summary: 'jumbojett/openid-connect-php',
  names: 'symfony, slim, jumbojett',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/login.php`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Install the library and write the five files, where index.php may be a page of yours.',
    'Start the app (php -S localhost:8000) and open its address.',
    'Key your accounts on the sub of the user in the session. It never becomes someone else’s.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'In your project',
      ...shell`
        composer require jumbojett/openid-connect-php
      `,
    },
    {
      title: 'gatehouse.php',
      ...php`
        <?php
        require __DIR__ . '/vendor/autoload.php';

        use Jumbojett\OpenIDConnectClient;

        // Neither pages of other sites nor scripts can use the session, nor choose its id.
        session_start([
            'cookie_samesite' => 'Lax',
            'cookie_httponly' => true,
            'cookie_secure' => ${{ verbatim: String(address.startsWith('https:')) }},
            'use_strict_mode' => true,
        ]);

        function gatehouse(): OpenIDConnectClient
        {
            $oidc = new OpenIDConnectClient(${server.issuer}, ${clientId}, ${clientSecret});
            $oidc->setRedirectURL(${redirectUri});
            $oidc->addScope(['openid', 'profile', 'email', 'offline_access']);
            $oidc->setCodeChallengeMethod('S256');
            return $oidc;
        }

        /** What is kept of the tokens that the server has just answered. */
        function kept(object $tokens): array
        {
            return [
                'access' => $tokens->access_token,
                'refresh' => $tokens->refresh_token,
                'id' => $tokens->id_token ?? $_SESSION['tokens']['id'],
                'expires' => time() + $tokens->expires_in,
            ];
        }

        /** Ends the page, and the sign-in if it is over. Other faults pass, or are mended in the set-up. */
        function refuse(bool $isOver): never
        {
            if ($isOver) {
                session_destroy();
                http_response_code(401);
                exit('Your sign-in has ended. <a href="/login.php">Sign in again</a>');
            }
            http_response_code(503);
            exit('That didn’t work. Try again in a minute, or <a href="/login.php">sign in again</a>.');
        }

        /** Whether somebody is signed in, at Gatehouse still: the renewal of a token finds out. */
        function isSignedIn(): bool
        {
            if (!isset($_SESSION['user'])) {
                return false;
            }
            if ($_SESSION['tokens']['expires'] < time() + 30) {
                try {
                    $answer = gatehouse()->refreshToken($_SESSION['tokens']['refresh']);
                } catch (Jumbojett\OpenIDConnectClientException) {
                    refuse(false);
                }
                if (!isset($answer->access_token)) {
                    refuse(($answer->error ?? '') === 'invalid_grant');
                }
                $_SESSION['tokens'] = kept($answer);
            }
            return true;
        }
      `,
    },
    {
      title: 'login.php',
      ...php`
        <?php
        require __DIR__ . '/gatehouse.php';

        if (($_GET['error'] ?? '') === 'access_denied') {
            exit('You said no. <a href="/login.php">Try again</a>');
        }
        $oidc = gatehouse();
        try {
            // Sends the browser away and, when it is back, goes on.
            $oidc->authenticate();
        } catch (Jumbojett\OpenIDConnectClientException $failure) {
            http_response_code(400);
            exit('The sign-in failed: ' . htmlspecialchars($failure->getMessage()));
        }
        session_regenerate_id(true);
        $_SESSION['user'] = $oidc->getVerifiedClaims();
        $_SESSION['tokens'] = kept($oidc->getTokenResponse());
        header('Location: /');
      `,
    },
    {
      title: 'index.php',
      ...php`
        <?php
        require __DIR__ . '/gatehouse.php';

        if (!isSignedIn()) {
            exit('<a href="/login.php">Sign in</a>');
        }
        echo '<p>Signed in as ', htmlspecialchars($_SESSION['user']->preferred_username), '</p>';
        echo '<form method="post" action="/logout.php"><button>Sign out</button></form>';
      `,
    },
    {
      title: 'me.php',
      ...php`
        <?php
        // What the server says of the person now, by a token that is live.
        require __DIR__ . '/gatehouse.php';

        if (!isSignedIn()) {
            header('Location: /login.php');
            exit;
        }
        $oidc = gatehouse();
        $oidc->setAccessToken($_SESSION['tokens']['access']);
        try {
            $person = $oidc->requestUserInfo();
        } catch (Jumbojett\OpenIDConnectClientException) {
            refuse($oidc->getResponseCode() === 401);
        }
        header('Content-Type: application/json');
        echo json_encode($person);
      `,
    },
    {
      title: 'logout.php',
      ...php`
        <?php
        require __DIR__ . '/gatehouse.php';

        if ($_SERVER['REQUEST_METHOD'] !== 'POST' || !isset($_SESSION['user'])) {
            header('Location: /');
            exit;
        }
        $idToken = $_SESSION['tokens']['id'];
        session_destroy();
        // Out of this app, then out of Gatehouse.
        gatehouse()->signOut($idToken, ${`${address}/`});
      `,
    },
  ],
  trap: 'login.php is its own redirect URI. If the address is rewritten, register it as the browser shows it, with or without .php.',
  source: {
    version: 'jumbojett/openid-connect-php 1.0.2, PHP 8.2',
    pages: ['OpenID-Connect-PHP: README'],
    notChecked: [],
  },
  checked: { byHand: '28 November 2026' },
});
