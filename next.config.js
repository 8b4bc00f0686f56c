import { moved } from './app/moved.ts';
import { pagePaths } from './app/paths.ts';
import { programFolders, programNames } from './app/unknown-address.ts';

/**
 * Some of these names, in the pattern of a rewrite.
 * @param {readonly string[]} names
 */
const oneOf = (names) => names.map((name) => name.replaceAll('.', '\\.')).join('|');

// A file, or that there is none, opened as if it were a page.
const asDocument = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
];

/** Everything in public/ but its folders. */
const publicFiles = [
  'gatehouse.css',
  ...['address.js', 'crop.js', 'dashboard.js', 'enhance.js', 'form-post.js', 'guard.js'],
  ...['live.js', 'palette.js', 'work.js'],
  ...['favicon.ico', 'favicon.svg'],
];

/** @type {import('next').NextConfig} */
const config = {
  // The same files give the same build, wherever it is made (lib/tooling/prepare.ts).
  generateBuildId: () => process.env.BUILD_INPUTS?.slice(0, 20) ?? null,
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm run check` does that, tests included; a server has no packages for development to check them with.
  typescript: { ignoreBuildErrors: true },
  // Native code, WebAssembly and megabytes of words: loaded by Node as they are, never bundled.
  serverExternalPackages: [
    'better-sqlite3',
    'nodemailer',
    'pg',
    'pino',
    '@prisma/client',
    '@prisma/adapter-better-sqlite3',
    '@prisma/adapter-pg',
    '@prisma/driver-adapter-utils',
    '@prisma/schema-engine-wasm',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    '@zxcvbn-ts/language-de',
    '@zxcvbn-ts/language-en',
  ],
  experimental: {
    // Whoever asks for the first page would wait until all others are loaded.
    preloadEntriesOnStart: false,
    // Ten seconds of writing, for a next build that a clone for one run does not see.
    turbopackFileSystemCacheForBuild: !process.env.CI,
    // Our server judges each body by itself; `next start` has only this. A portrait has 2 MB.
    proxyClientMaxBodySize: '3mb',
  },
  // No page uses it, and outsiders could have it work and fill its cache.
  images: { unoptimized: true },
  redirects: async () =>
    Object.entries(moved).map(([source, destination]) => ({
      source,
      destination,
      permanent: true,
    })),
  rewrites: async () => ({
    beforeFiles: [
      // What answers a form stands beside its page, and has one route handler for all.
      ...pagePaths.map((source) => ({ source, destination: `/mount${source}` })),
      // The buttons of providers, and where these answer.
      { source: '/login/with/:path+', destination: '/mount/login/with/:path+' },
      // The Markdown of a page of the documentation.
      { source: '/docs/:page(.+)\\.md', destination: '/docs/markdown/:page' },
      // The second path form of the interface, at the root.
      { source: '/', has: [{ type: 'query', key: 'oauth' }], destination: '/oauth' },
    ],
    // Where programs look in vain. Files of public/ come first, and `/oauth` has a route.
    afterFiles: [
      { source: `/:name(${oneOf(programNames)})`, destination: '/mount/:name' },
      {
        source: '/:path*/\\.well-known/:name(openid[^/]*|oauth[^/]*)/:more*',
        destination: '/mount/:path*/.well-known/:name/:more*',
      },
    ],
    // The same after routes for many addresses, such as those of the API.
    fallback: [
      {
        source: `/:folder(${oneOf(programFolders)})/:path+`,
        destination: '/mount/:folder/:path+',
      },
    ],
  }),
  // What the proxy does not see: files of public/ and of the build.
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
    { source: '/_next/:path*', headers: asDocument },
    { source: `/:file(${oneOf(publicFiles)})`, headers: asDocument },
    { source: '/fonts/:path*', headers: asDocument },
  ],
};

export default config;
