import { expect, test } from 'vitest';
import { hasSector, sectorIn } from '#lib/oauth/subject.ts';

// The sector of a client with pairwise subjects (OpenID Connect Core section 8.1).
const web = ['https://app.example/cb', 'https://app.example/other'];
const loopback = ['http://127.0.0.1/cb', 'http://[::1]/cb'];
const scheme = ['com.example.program:/cb'];
const said = 'https://said.example/sector';

test.each([
  ['the host of its redirect URIs', 'admin', web, null, 'app.example'],
  ['what an admin says it is', 'admin', web, said, 'said.example'],
  ['this computer, where an admin made it', 'admin', ['http://127.0.0.1/cb'], null, '127.0.0.1'],
  ['the host of a web app that registered', 'registration', web, null, 'app.example'],
  ['itself, where it registered for loopback', 'registration', loopback, null, 'id'],
  ['itself, where it registered for a scheme', 'registration', scheme, null, 'id'],
  ['what an admin says of it since', 'registration', scheme, said, 'said.example'],
  ['the host of its redirect URIs, wherever its document is', 'document', web, null, 'app.example'],
  ['the host of its document, for loopback', 'document', loopback, null, 'doc.example'],
  [
    'itself, where its addresses lead to several hosts since',
    'registration',
    [...web, ...loopback],
    null,
    'id',
  ],
] as const)('a pairwise sector is %s', (_, origin, redirectUris, sectorIdentifierUri, sector) => {
  const host = origin === 'admin' ? null : 'doc.example';
  expect(sectorIn({ id: 'id', origin, host, redirectUris, sectorIdentifierUri })).toBe(sector);
});

test.each([
  ['has one where an admin made it for one host', 'admin', web, null, true],
  ['has one where an admin says so', 'admin', [...web, ...loopback], said, true],
  ['has none where an admin made it for two loopback addresses', 'admin', loopback, null, false],
  ['has none where it leads nowhere', 'admin', [], null, false],
  ['has itself, where it registered for loopback', 'registration', loopback, null, true],
  [
    'has itself, where it registered for programs',
    'document',
    [...loopback, ...scheme],
    null,
    true,
  ],
  ['has none for a host beside a program', 'registration', [...web, ...scheme], null, false],
] as const)('pairwise sector: client %s', (_, origin, redirectUris, sectorIdentifierUri, has) => {
  expect(hasSector({ origin, redirectUris, sectorIdentifierUri })).toBe(has);
});
