import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { env, html, php } from '../text.ts';

export const laravel = recipe({
  id: 'laravel',
  name: 'Laravel',
  mark: 'laravel',
  kind: 'stack',
  summary: 'PHP, with nothing but Laravel’s own HTTP client',
  names: 'php, socialite, livewire, inertia, passport, sanctum, breeze, lumen, filament',
  questions: { address: appAddress('http://localhost:8000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Write the files, and add the lines to .env and config/services.php.',
    'Start it (php artisan serve) and open the app.',
    "Key your accounts on sub in session('user'). Routes in the group of Gatehouse::class have a live access token in session('tokens.access_token').",
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: '.env, at the end',
      ...env`
        GATEHOUSE_CLIENT_SECRET=${clientSecret}
      `,
    },
    {
      title: 'config/services.php, among the others',
      ...php`
        'gatehouse' => ['secret' => env('GATEHOUSE_CLIENT_SECRET')],
      `,
    },
    {
      title: 'app/Gatehouse.php',
      ...php`
        <?php

        namespace App;

        use Closure;
        use Illuminate\Http\Client\ConnectionException;
        use Illuminate\Http\Client\RequestException;
        use Illuminate\Http\Request;
        use Illuminate\Support\Facades\Http;
        use Illuminate\Support\Facades\Log;
        use Illuminate\Support\Str;

        class Gatehouse
        {
            private const CLIENT_ID = ${clientId};
            private const REDIRECT_URI = ${redirectUri};

            /** Sends the browser away. State and verifier are bound to its session until it is back. */
            public static function signIn()
            {
                $signIn = ['state' => Str::random(40), 'verifier' => Str::random(64)];
                session(['sign_in' => $signIn]);
                $digest = hash('sha256', $signIn['verifier'], true);
                return redirect()->away(${server.authorize} . '?' . http_build_query([
                    'response_type' => 'code',
                    'client_id' => self::CLIENT_ID,
                    'redirect_uri' => self::REDIRECT_URI,
                    'scope' => 'openid profile email offline_access',
                    'state' => $signIn['state'],
                    'code_challenge' => rtrim(strtr(base64_encode($digest), '+/', '-_'), '='),
                    'code_challenge_method' => 'S256',
                ]));
            }

            public static function finish(Request $request)
            {
                if ($request->query('error') === 'access_denied') {
                    return 'You said no. <a href="/login">Try again</a>';
                }
                $signIn = session()->pull('sign_in');
                $isOurs = $signIn && $request->query('state') === $signIn['state'];
                if (!$isOurs || $request->query('iss') !== ${server.issuer} || !$request->query('code')) {
                    return response('This browser didn’t start that. <a href="/login">Sign in</a>', 400);
                }
                try {
                    $tokens = self::askForTokens([
                        'grant_type' => 'authorization_code',
                        'code' => $request->query('code'),
                        'redirect_uri' => self::REDIRECT_URI,
                        'code_verifier' => $signIn['verifier'],
                    ]);
                    $user = self::askWho($tokens['access_token']);
                } catch (RequestException | ConnectionException $failure) {
                    return self::refused($failure);
                }
                $request->session()->regenerate();
                session(['user' => $user]);
                self::keep($tokens);
                return redirect('/');
            }

            /** Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out. */
            public function handle(Request $request, Closure $next)
            {
                try {
                    if (session('tokens.expires_at', PHP_INT_MAX) < time() + 30) {
                        self::keep(self::askForTokens([
                            'grant_type' => 'refresh_token',
                            'refresh_token' => session('tokens.refresh_token'),
                        ]));
                    }
                } catch (RequestException | ConnectionException $failure) {
                    return self::refused($failure);
                }
                return $next($request);
            }

            /** What this server says of the person now. */
            public static function me()
            {
                try {
                    return session('user') ? self::askWho(session('tokens.access_token')) : redirect('/login');
                } catch (RequestException | ConnectionException $failure) {
                    return self::refused($failure);
                }
            }

            /** Out of this app, then out of Gatehouse. */
            public static function signOut(Request $request)
            {
                $idToken = session('tokens.id_token');
                $request->session()->invalidate();
                return redirect()->away(${server.logout} . '?' . http_build_query([
                    'id_token_hint' => $idToken,
                    'post_logout_redirect_uri' => ${`${address}/`},
                ]));
            }

            /** Keeps a token answer. A refresh may leave out what stays as it is. */
            private static function keep(array $tokens): void
            {
                $expires = ['expires_at' => time() + $tokens['expires_in']];
                session(['tokens' => $expires + $tokens + session('tokens', [])]);
            }

            private static function askForTokens(array $asked): array
            {
                $secret = config('services.gatehouse.secret');
                $request = Http::asForm()->withBasicAuth(self::CLIENT_ID, $secret);
                return $request->post(${server.token}, $asked)->throw()->json();
            }

            private static function askWho(string $accessToken): array
            {
                return Http::withToken($accessToken)->get(${server.userinfo})->throw()->json();
            }

            /** Only two errors say that the sign-in is over. Others pass, or are mended in the set-up. */
            private static function refused($failure)
            {
                $error = $failure instanceof RequestException ? $failure->response->json('error') : null;
                if ($error === 'invalid_grant' || $error === 'invalid_token') {
                    session()->invalidate();
                    return response('Your sign-in has ended. <a href="/login">Sign in again</a>', 401);
                }
                Log::error($failure->getMessage());
                $words = 'That didn’t work. Try again in a minute, or <a href="/login">sign in again</a>.';
                return response($words, 503);
            }
        }
      `,
    },
    {
      title: 'routes/web.php',
      ...php`
        <?php

        use App\Gatehouse;
        use Illuminate\Support\Facades\Route;

        Route::get('/login', [Gatehouse::class, 'signIn']);
        Route::get('/callback', [Gatehouse::class, 'finish']);
        Route::post('/logout', [Gatehouse::class, 'signOut']);

        Route::middleware(Gatehouse::class)->group(function () {
            Route::view('/', 'home');
            Route::get('/me', [Gatehouse::class, 'me']);
        });
      `,
    },
    {
      title: 'resources/views/home.blade.php',
      ...html`
        @if (session('user'))
            <p>Signed in as {{ session('user')['preferred_username'] }}</p>
            <form method="post" action="/logout">@csrf<button>Sign out</button></form>
        @else
            <a href="/login">Sign in</a>
        @endif
      `,
    },
  ],
  trap: 'Routes that need a person stand in the group of Gatehouse::class, or nobody notices that a sign-in has ended. A session in a cookie (SESSION_DRIVER=cookie) has no room for the tokens.',
  source: {
    version: 'Laravel 8.83, with PHP 8.2',
    pages: ['Laravel documentation: HTTP Client', 'Laravel documentation: HTTP Session'],
    notChecked: ['Later versions of Laravel: their documentation of these functions is the same.'],
  },
  checked: { byHand: '28 November 2026' },
});
