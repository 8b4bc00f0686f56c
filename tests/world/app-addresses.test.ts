import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptAddresses } from '#lib/import/formats/keycloak-addresses.ts';
import { judgeRedirectUri } from '#lib/management/addresses.ts';
import { apiCalled } from '#lib/oauth/api.ts';
import { isRegistered } from '#lib/oauth/app-address.ts';
import { readClientDocument } from '#lib/oauth/client-document.ts';
import { backchannelFault, initiateLoginFault, jwksUriFault } from '#lib/oauth/client-links.ts';
import { cli } from '../cli/command-line.ts';
import { planFor } from '../config-file/files.ts';
import { faultsOf, newApp } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import {
  type AddressRow,
  appAddresses,
  loopbackPorts,
  resourceSpellings,
} from './app-addresses.ts';
import { filesThatUse, linesWith } from './doors.ts';

beforeAll(async () => workOn(await createDatabase('sqlite')));

/** What a door says: the address as it was kept, or its refusal. */
type Said = { kept: string } | { refused: string };
type Door = (address: string) => Promise<Said> | Said;

const first = (faults: Record<string, string>) => ({
  refused: Object.values(faults).join(' ') || 'nothing was said',
});

const made = async (work: Promise<{ client: Record<string, unknown> }>, field: string) => {
  try {
    const list = (await work).client[field] as string[];
    return { kept: list[0] ?? '' };
  } catch (error) {
    return first(await faultsOf(Promise.reject(error)));
  }
};

const documentAt = 'https://app.example.org/client';
const documented: (member: string) => Door = (member) => (address) => {
  const text = JSON.stringify({
    client_id: documentAt,
    redirect_uris: ['https://app.example.org/other'],
    [member]: [address],
  });
  const read = readClientDocument(documentAt, text);
  if ('fault' in read) return { refused: read.fault.reason };
  const { redirectUris, postLogoutRedirectUris } = read.content.settings;
  return { kept: (member === 'redirect_uris' ? redirectUris : postLogoutRedirectUris)[0] ?? '' };
};

const written: (member: string) => Door = (member) => async (address) => {
  const id = `app-${randomBytes(4).toString('hex')}`;
  const addresses = { redirect_uris: ['https://app.example.org/other'], [member]: [address] };
  const text = `apps: ${JSON.stringify({ [id]: { name: 'App', type: 'public', ...addresses } })}`;
  try {
    const plan = JSON.stringify(await planFor(text));
    return { kept: plan.includes(JSON.stringify(address)) ? address : 'another' };
  } catch (error) {
    return { refused: (error as Error).message };
  }
};

/** Every door through which an address is registered. */
const doors: Record<string, Door> = {
  'the act, for answers': (address) => made(newApp({ redirectUris: [address] }), 'redirectUris'),
  'the act, for after a sign-out': (address) =>
    made(newApp({ postLogoutRedirectUris: [address] }), 'postLogoutRedirectUris'),
  'the form as it is typed': (address) => {
    const { fault } = judgeRedirectUri(address);
    return fault ? { refused: fault.english } : { kept: address };
  },
  'a metadata document, for answers': documented('redirect_uris'),
  'a metadata document, for after a sign-out': documented('post_logout_redirect_uris'),
  'the configuration file, for answers': written('redirect_uris'),
  'the configuration file, for after a sign-out': written('post_logout_redirect_uris'),
};

async function expectRow(row: AddressRow, said: Said): Promise<void> {
  if ('kept' in row) return expect(said).toEqual({ kept: row.address });
  expect(said).toEqual({ refused: expect.any(String) });
  const refused = 'refused' in said ? said.refused : '';
  if ('reason' in row) return expect(refused).toMatch(row.reason);
  expect(refused).toContain(row.write);
}

/** A document leads to one place, so its own host and programs on a device are all it can name. */
const isForDocuments = ({ address }: AddressRow) => !/^https:\/\/(192|\[)/.test(address);

describe.each(Object.entries(doors))('an address of an app, by %s', (name, door) => {
  const rows = name.startsWith('a metadata document')
    ? appAddresses.filter(isForDocuments)
    : appAddresses;
  test.each(rows)('$address ($from)', async (row) => expectRow(row, await door(row.address)));
});

test('the command line says what to write, and keeps what it is told', async () => {
  const create = (address: string) =>
    cli(['client', 'create', '--name', 'App', '--redirect-uri', address, '--json']);
  for (const row of appAddresses.filter((each) => !('kept' in each)))
    await expectRow(row, { refused: (await create(row.address)).stderr });
  const { stdout } = await create('https://App.Example.org:443');
  expect(JSON.parse(stdout).redirect_uris).toEqual(['https://App.Example.org:443']);
});

test.each(appAddresses)('an import of $address ($from)', (row) => {
  const { uris, notes } = keptAddresses([row.address], undefined);
  const isCut = row.address.endsWith('*') && !/\*./.test(row.address);
  if ('kept' in row) expect([uris, notes]).toEqual([[row.address], []]);
  else expect(uris).toEqual(isCut && row.address !== '*' ? [row.address.slice(0, -1)] : []);
  expect(notes.length).toBe('kept' in row ? 0 : 1);
});

const calls = { initiateLoginFault, backchannelFault, jwksUriFault };
describe.each(Object.entries(calls))('an address of an app, by %s', (_, faultOf) => {
  const web = appAddresses.filter(({ address }) => /^https:/i.test(address));
  test.each(web)('$address ($from)', async (row) => {
    const fault = faultOf(row.address);
    await expectRow(row, fault ? { refused: fault.english } : { kept: row.address });
  });
});

test.each(loopbackPorts)('registered is %s, sent is %s: %s', (registered, sent, who) => {
  expect(isRegistered(sent, [registered], 'public')).toBe(who !== 'none');
  expect(isRegistered(sent, [registered], 'confidential')).toBe(who === 'all');
});

test.each(resourceSpellings)('an API is %s, its client names %s: %s', (identifier, sent, same) => {
  expect(apiCalled(sent, [{ identifier }]) !== undefined).toBe(same);
});

test('every door to the identifier of an API is one that folds its spellings', () => {
  expect(filesThatUse('identifierKey', 'lib/oauth/api.ts')).toEqual([
    'lib/management/api/api-rules.ts',
    'lib/oauth/token-exchange.ts',
  ]);
});

test('every door to an address of an app is one of these', () => {
  expect(filesThatUse('appAddressFault', 'lib/oauth/app-address.ts')).toEqual([
    'lib/oauth/client-links.ts',
    'lib/oauth/redirect-uri.ts',
  ]);
  expect(filesThatUse('redirectUriFault', 'lib/oauth/redirect-uri.ts')).toEqual([
    'lib/import/formats/keycloak-addresses.ts',
    'lib/management/addresses.ts',
    'lib/oauth/client-metadata-fault.ts',
    'lib/oauth/post-logout.ts',
    'lib/recipes/answers.ts',
  ]);
  expect(filesThatUse('isRegistered', 'lib/oauth/app-address.ts')).toEqual([
    'lib/oauth/post-logout.ts',
    'lib/oauth/redirect-uri.ts',
  ]);
  // These two choose from what is registered, and read nothing that an app sends.
  const comparing = linesWith(/[rR]edirectUris\s*\.(includes|some|indexOf)\(/);
  expect(comparing.map((line) => line.split(':')[0])).toEqual([
    'app/admin/clients/[clientId]/try/submit.ts',
    'app/ui/connect/guide-section.tsx',
  ]);
});
