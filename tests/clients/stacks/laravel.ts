import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { forChange } from '../../lanes.ts';
import { haveDebianPackages } from '../../support/debian-packages.ts';
import { freePort } from '../../support/free-port.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

const packages = ['php-cli', 'php-curl', 'php-mbstring', 'php-laravel-framework'];
const hasLaravel = !forChange && (await haveDebianPackages(...packages));

/** What `composer create-project laravel/laravel` makes besides the recipe's files, at its least. */
const project = {
  'public/index.php': `<?php
require '/usr/share/php/Illuminate/autoload.php';
require '/usr/share/php/GuzzleHttp/autoload.php';
require __DIR__ . '/../app/Gatehouse.php';
use Illuminate\\Support\\Facades\\Route;

class Kernel extends Illuminate\\Foundation\\Http\\Kernel {
    protected $middlewareGroups = ['web' => [
        Illuminate\\Cookie\\Middleware\\EncryptCookies::class,
        Illuminate\\Cookie\\Middleware\\AddQueuedCookiesToResponse::class,
        Illuminate\\Session\\Middleware\\StartSession::class,
        Illuminate\\Foundation\\Http\\Middleware\\VerifyCsrfToken::class,
    ]];
}
class Routes extends Illuminate\\Foundation\\Support\\Providers\\RouteServiceProvider {
    public function map() { Route::middleware('web')->group(base_path('routes/web.php')); }
}
$app = new Illuminate\\Foundation\\Application(dirname(__DIR__));
$app->singleton(Illuminate\\Contracts\\Http\\Kernel::class, Kernel::class);
$app->singleton(Illuminate\\Contracts\\Debug\\ExceptionHandler::class, Illuminate\\Foundation\\Exceptions\\Handler::class);
$request = Illuminate\\Http\\Request::capture();
$kernel = $app->make(Illuminate\\Contracts\\Http\\Kernel::class);
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
`,
  'config/app.php': `<?php
return [
    'name' => 'App', 'env' => 'local', 'debug' => true, 'url' => 'http://localhost', 'timezone' => 'UTC',
    'locale' => 'en', 'fallback_locale' => 'en', 'cipher' => 'AES-256-CBC', 'key' => str_repeat('k', 32),
    'providers' => [
        Illuminate\\Cookie\\CookieServiceProvider::class, Illuminate\\Encryption\\EncryptionServiceProvider::class,
        Illuminate\\Filesystem\\FilesystemServiceProvider::class, Illuminate\\Foundation\\Providers\\FoundationServiceProvider::class,
        Illuminate\\Session\\SessionServiceProvider::class, Illuminate\\View\\ViewServiceProvider::class, Routes::class,
    ],
];
`,
  'config/session.php': `<?php
return [
    'driver' => 'file', 'lifetime' => 120, 'expire_on_close' => false, 'encrypt' => false,
    'files' => storage_path('sessions'), 'lottery' => [0, 100], 'cookie' => 'app', 'path' => '/',
    'domain' => null, 'secure' => false, 'http_only' => true, 'same_site' => 'lax',
];
`,
  'config/view.php':
    "<?php\nreturn ['paths' => [resource_path('views')], 'compiled' => storage_path('views')];\n",
  'config/logging.php':
    "<?php\nreturn ['default' => 'errorlog', 'channels' => ['errorlog' => ['driver' => 'errorlog']]];\n",
};

async function startLaravel(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'laravel', { address });
  for (const [file, code] of Object.entries(project)) write(folder, file, code);
  write(folder, '.env', text('.env, at the end'));
  const services = text('config/services.php, among the others');
  write(folder, 'config/services.php', `<?php\nreturn [${services}];\n`);
  for (const part of ['storage/sessions', 'storage/views', 'bootstrap/cache'])
    mkdirSync(resolve(folder, part), { recursive: true });
  const args = ['-d', 'error_reporting=E_ALL&~E_DEPRECATED', '-S', `localhost:${port}`];
  await listening(port, start(folder, 'php', [...args, 'public/index.php']));
  return { address, clientId };
}

export const laravel: Stack = { start: hasLaravel ? startLaravel : null, asks: '/me' };
