import { form } from '../blocks.ts';
import { siteOf } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { php } from '../text.ts';

const languages = [
  ...['en_US', 'en_GB', 'de_DE', 'de_DE_formal', 'de_CH', 'de_AT', 'fr_FR', 'es_ES', 'it_IT'],
  ...['nl_NL', 'pt_BR', 'pt_PT', 'pl_PL', 'ru_RU', 'uk', 'cs_CZ', 'sv_SE', 'da_DK', 'nb_NO'],
  ...['fi', 'hu_HU', 'ro_RO', 'el', 'tr_TR', 'he_IL', 'ar', 'fa_IR', 'ja', 'ko_KR', 'zh_CN'],
];

export const wordpress = recipe({
  id: 'wordpress',
  name: 'WordPress',
  mark: 'wordpress',
  kind: 'stack',
  summary: 'With the plugin OpenID Connect Generic Client',
  questions: { address: siteOf('WordPress', 'https://www.example.org') },
  client: { ...webClient, authentication: 'post', pkce: 'by the text' },
  redirectUris: ({ address }) => [
    `${address}/wp-admin/admin-ajax.php?action=openid-connect-authorize`,
  ],
  // The last page of WordPress names the language of whoever signs out.
  postLogoutRedirectUris: ({ address }) => [
    `${address}/`,
    ...languages.map((each) => `${address}/wp-login.php?loggedout=true&wp_lang=${each}`),
  ],
  steps: [
    'In WordPress, install the plugin “OpenID Connect Generic Client” by daggerhart.',
    'Open Settings → OpenID Connect Client, fill in the form and save.',
    'Write the file into the folder of WordPress. Without it, the plugin takes an answer from any browser, sends no PKCE, and keeps people signed in who are gone.',
    'Sign out. The sign-in page now has a button.',
    'If your WordPress speaks a language that isn’t among the sign-out addresses here, add its address: the refused attempt offers that.',
  ],
  blocks: (_, { server, clientId, clientSecret }) => [
    form('Settings → OpenID Connect Client', {
      'Login Type': 'OpenID Connect button on login form',
      'Client ID': clientId,
      'Client Secret Key': clientSecret,
      'OpenID Scope': 'openid profile email offline_access',
      'Login Endpoint URL': server.authorize,
      'Userinfo Endpoint URL': server.userinfo,
      'Token Validation Endpoint URL': server.token,
      'End Session Endpoint URL': server.logout,
      'Identity Key': 'sub',
      'Nickname Key': 'preferred_username',
      'Email Formatting': '{email}',
      'Display Name Formatting': '{name}',
      'Enable Refresh Token': 'ticked',
      'Link Existing Users': 'not ticked',
    }),
    {
      title: 'wp-content/mu-plugins/gatehouse.php',
      ...php`
        <?php
        /** The PKCE verifier of a sign-in: a secret of the browser that began it. */
        function gatehouse_verifier(string $state): string
        {
            $name = is_ssl() ? '__Host-gatehouse' : 'gatehouse';
            if (!is_string($_COOKIE[$name] ?? null)) {
                $_COOKIE[$name] = bin2hex(random_bytes(32));
                $options = ['path' => '/', 'secure' => is_ssl(), 'httponly' => true, 'samesite' => 'Lax'];
                setcookie($name, $_COOKIE[$name], $options);
            }
            return hash_hmac('sha256', $state, $_COOKIE[$name]);
        }

        /** Leads to the sign-in page, which shows this. */
        function gatehouse_refuse(string $message): void
        {
            $shown = ['login-error' => 'sign-in', 'message' => rawurlencode($message)];
            wp_safe_redirect(add_query_arg($shown, wp_login_url()));
            exit;
        }

        // The page with the button has to set the cookie before it begins.
        add_action('login_init', fn() => gatehouse_verifier(''));

        add_filter('openid-connect-generic-auth-url', function ($url) {
            parse_str(parse_url($url, PHP_URL_QUERY), $asked);
            $digest = hash('sha256', gatehouse_verifier($asked['state']), true);
            $challenge = rtrim(strtr(base64_encode($digest), '+/', '-_'), '=');
            return $url . '&code_challenge_method=S256&code_challenge=' . $challenge;
        });

        add_filter('openid-connect-generic-alter-request', function ($request, $operation) {
            $state = $_GET['state'] ?? '';
            if ($operation === 'get-authentication-token') {
                $request['body']['code_verifier'] = gatehouse_verifier(is_string($state) ? $state : '');
            }
            return $request;
        }, 10, 2);

        foreach (['wp_ajax_', 'wp_ajax_nopriv_'] as $kind) {
            add_action($kind . 'openid-connect-authorize', function () {
                if (($_GET['error'] ?? '') === 'access_denied') {
                    gatehouse_refuse('You said no. Try again.');
                }
            }, 1);
        }

        // Once the access token has expired, the server is asked whether the sign-in still holds.
        add_action('init', function () {
            $sessions = WP_Session_Tokens::get_instance(get_current_user_id());
            $token = wp_get_session_token();
            $session = $sessions->get($token);
            $kept = $session['openid-connect-generic-refresh'] ?? [];
            if (empty($kept['refresh_token'])) {
                return;
            }
            $last = get_user_option('openid-connect-generic-last-token-response');
            if (time() < ($kept['expires'] ?? $session['login'] + $last['expires_in'])) {
                return;
            }
            $settings = get_option('openid_connect_generic_settings');
            $asked = [
                'grant_type' => 'refresh_token',
                'refresh_token' => $kept['refresh_token'],
                'client_id' => $settings['client_id'],
                'client_secret' => $settings['client_secret'],
            ];
            $answer = wp_remote_post($settings['endpoint_token'], ['body' => $asked]);
            $told = json_decode(wp_remote_retrieve_body($answer), true);
            if (($told['error'] ?? '') === 'invalid_grant') {
                wp_logout();
                gatehouse_refuse('Your sign-in has ended. Sign in again.');
            }
            // While the server is away, it is asked again in a minute.
            $session['openid-connect-generic-refresh'] = [
                'refresh_token' => $told['refresh_token'] ?? $kept['refresh_token'],
                'expires' => time() + ($told['expires_in'] ?? 60),
            ];
            $sessions->update($token, $session);
        }, 11);
      `,
    },
  ],
  trap: '“Link Existing Users” gives a WordPress account to anyone with its username or email address here. Tick it only to link accounts whose people you know, with USERNAME_CHANGE off.',
  source: {
    version: 'WordPress 6.1.9, OpenID Connect Generic 3.10.3',
    pages: ['Authelia documentation: WordPress, OpenID Connect 1.0 integration'],
    notChecked: [],
  },
  checked: { byHand: '28 November 2026' },
});
