import { gatehouseVersion } from '../config.ts';
import { Backwards } from './ber.ts';
import { plainEntry } from './entries.ts';
import { type Entry, matcherOf } from './match.ts';
import { type Search, writeEntry } from './message.ts';
import { schemaDn } from './names.ts';
import { subschema } from './schema.ts';
import { pagedResults, selecting, sortRequest, withoutEffect } from './search.ts';

export const extensions = {
  startTls: '1.3.6.1.4.1.1466.20037',
  whoAmI: '1.3.6.1.4.1.4203.1.11.3',
  changePassword: '1.3.6.1.4.1.4203.1.11.1',
} as const;

/** All operational attributes by `+` (RFC 3673), and values that are always true or false (RFC 4526). */
const features = ['1.3.6.1.4.1.4203.1.5.1', '1.3.6.1.4.1.4203.1.5.3'];

/** The entry that says what this server can do (RFC 4512 section 5.1). */
export function rootDse(baseDn: string, offersTls: boolean): Entry {
  return plainEntry('', {
    objectClass: ['top'],
    namingContexts: [baseDn],
    supportedLDAPVersion: ['3'],
    supportedControl: [pagedResults, sortRequest, ...withoutEffect],
    supportedExtension: [extensions.whoAmI, ...(offersTls ? [extensions.startTls] : [])],
    supportedFeatures: features,
    vendorName: ['Gatehouse'],
    vendorVersion: [gatehouseVersion()],
    subschemaSubentry: [schemaDn],
  });
}

export const schemaEntry: Entry = plainEntry(schemaDn, {
  ...subschema(),
  subschemaSubentry: [schemaDn],
});

/** The entry as a search asks for it, if it matches. */
export function fixedAnswer(id: number, entry: Entry, search: Search): Buffer {
  const out = new Backwards();
  if (matcherOf(search.filter)(entry))
    writeEntry(out, id, { dn: entry.dn, attributes: selecting(search)(entry) });
  return out.bytes;
}
