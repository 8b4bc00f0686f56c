import { existsSync } from 'node:fs';
import { moved } from './app/moved.ts';
import { pagePaths } from './app/paths.ts';
import { programFolders, programNames } from './app/unknown-address.ts';

/**
 * Joins these names into an alternation for the pattern of a rewrite.
 * @param {readonly string[]} names
 */
const oneOf = (names) => names.map((name) => name.replaceAll('.', '\\.')).join('|');

// For a file, or the 404 in its place, that is opened as if it were a page.
const asDocument = [
  { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
];

/** Every file in public/ that is not in a folder. */
const publicFiles = [
  'gatehouse.css',
  'address.js',
  'crop.js',
  'dashboard.js',
  'enhance.js',
  'form-post.js',
  'guard.js',
  'live.js',
  'palette.js',
  'work.js',
  'favicon.ico',
  'favicon.svg',
];

/** @type {import('next').NextConfig} */
const config = {
  // The same sources give the same build ID wherever they are built (lib/tooling/prepare.ts).
  generateBuildId: () => process.env.BUILD_INPUTS?.slice(0, 20) ?? null,
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm run check` checks the types, tests included; a server lacks the development packages for
  // it.
  typescript: { ignoreBuildErrors: true },
  // Native code, WebAssembly and megabytes of word lists: Node loads them as they are, unbundled.
  serverExternalPackages: [
    'better-sqlite3',
    'nodemailer',
    'pg',
    'pino',
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
    // Otherwise the first request would wait until every page is loaded.
    preloadEntriesOnStart: false,
    // Writing it takes a quarter of a build and helps only the next one, which a checkout that is
    // only run never has. One from which a server was started before is being changed.
    turbopackFileSystemCacheForBuild: existsSync('.next/cache/compile'),
    // Our server limits each body by itself; `next start` has only this limit. A portrait has 2 MB.
    proxyClientMaxBodySize: '3mb',
  },
  // No page uses it, and outsiders could make it work and fill its cache.
  images: { unoptimized: true },
  redirects: async () =>
    Object.entries(moved).map(([source, destination]) => ({
      source,
      destination,
      permanent: true,
    })),
  rewrites: async () => ({
    beforeFiles: [
      // The endpoints that answer forms are beside their pages; one route handler serves them all.
      ...pagePaths.map((source) => ({ source, destination: `/mount${source}` })),
      // The buttons for signing in with providers, and the addresses providers send people back to.
      { source: '/login/with/:path+', destination: '/mount/login/with/:path+' },
      // The Markdown of a documentation page.
      { source: '/docs/:page(.+)\\.md', destination: '/docs/markdown/:page' },
      // The second path form of the interface, at the root.
      { source: '/', has: [{ type: 'query', key: 'oauth' }], destination: '/oauth' },
    ],
    // Addresses that programs try in vain. Files of public/ are matched first, and `/oauth` is a
    // route.
    afterFiles: [
      { source: `/:name(${oneOf(programNames)})`, destination: '/mount/:name' },
      {
        source: '/:path*/\\.well-known/:name(openid[^/]*|oauth[^/]*)/:more*',
        destination: '/mount/:path*/.well-known/:name/:more*',
      },
    ],
    // The same, matched after catch-all routes such as the API's.
    fallback: [
      {
        source: `/:folder(${oneOf(programFolders)})/:path+`,
        destination: '/mount/:folder/:path+',
      },
    ],
  }),
  // What the proxy skips: the files of public/ and of the build.
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
    { source: '/_next/:path*', headers: asDocument },
    { source: `/:file(${oneOf(publicFiles)})`, headers: asDocument },
    { source: '/fonts/:path*', headers: asDocument },
  ],
};

export default config;
