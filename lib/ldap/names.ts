import { hash } from 'node:crypto';
import { dnKey } from '../identity/directory/dn.ts';

/** The attributes by which a person can be named in a DN. */
const personNames = ['uid', 'cn', 'mail', 'entryuuid'] as const;

/** What a DN names in the tree of this server. */
export type Place =
  | { at: 'server' | 'schema' | 'domain' }
  | { at: 'app' | 'people' | 'groups'; app: string }
  | { at: 'person'; app: string; by: (typeof personNames)[number]; value: string }
  | { at: 'group'; app: string; value: string };

export const schemaDn = 'cn=Subschema';

/**
 * What a DN names: below the base DN each app has a tree of its own, with its people and groups.
 * Null: nothing that can exist here.
 */
export function placeIn(dn: string, baseDn: string): Place | null {
  const key = dnKey(dn, (value) => value);
  // No name has a NUL, and PostgreSQL is asked for none.
  if (/\\00|\0/.test(key)) return null;
  if (key === '') return { at: 'server' };
  if (key.toLowerCase() === 'cn=subschema') return { at: 'schema' };
  const base = dnKey(baseDn);
  if (key.toLowerCase() === base) return { at: 'domain' };
  if (!key.toLowerCase().endsWith(`,${base}`)) return null;
  const above = key.slice(0, -base.length - 1).split(',');
  const [app, container, leaf, ...deeper] = above.reverse().map(readName);
  if (app?.type !== 'cn' || deeper.length > 0) return null;
  if (!container) return { at: 'app', app: app.value };
  const of = container.type === 'ou' ? container.value.toLowerCase() : '';
  if (of !== 'people' && of !== 'groups') return null;
  if (!leaf) return { at: of, app: app.value };
  if (of === 'groups')
    return leaf.type === 'cn' ? { at: 'group', app: app.value, value: leaf.value } : null;
  const by = personNames.find((name) => name === leaf.type);
  return by ? { at: 'person', app: app.value, by, value: leaf.value } : null;
}

/** The types and values that a DN consists of, without those of a part with several. */
export const namesIn = (dn: string) =>
  dnKey(dn, (value) => value)
    .split(',')
    .map(readName);

function readName(part: string): { type: string; value: string } {
  const [type = '', ...rest] = part.split('=');
  const value = rest
    .join('=')
    .replace(/\\([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // A name of several parts (a plus between them) is none of ours.
  return { type: part.includes('+') ? '' : type.toLowerCase(), value };
}

/** A value as it stands in a DN (RFC 4514 section 2.4). */
const escaped = (value: string) =>
  !/[,+"\\<>;=# \0]/.test(value)
    ? value
    : value
        .replace(/[,+"\\<>;=]/g, '\\$&')
        .replace(/^[ #]/, '\\$&')
        .replace(/ $/, '\\ ')
        .replaceAll('\0', '\\00');

export const appDn = (app: string, baseDn: string) => `cn=${escaped(app)},${baseDn}`;
export const peopleDn = (app: string, baseDn: string) => `ou=people,${appDn(app, baseDn)}`;
export const groupsDn = (app: string, baseDn: string) => `ou=groups,${appDn(app, baseDn)}`;

export const personDn = (username: string, above: string) => `uid=${escaped(username)},${above}`;
export const groupDn = (name: string, above: string) => `cn=${escaped(name)},${above}`;

const ours = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** What no id of ours begins with, because it is a time. */
const derived = 'ffffffff';

/** The UUID of an id (RFC 4530): it has the same digits or, if it was brought from elsewhere, a digest. */
export function uuidOf(id: string): string {
  const plain = id.toLowerCase().replaceAll('-', '');
  const digits = ours.test(plain) ? plain : derived + hash('sha256', id).slice(0, 24);
  return ours.exec(digits)?.slice(1).join('-') ?? '';
}

/** The ids that may have this UUID; null: only looking at each one tells. */
export function idsOfUuid(uuid: string): string[] | null {
  const written = uuid.trim();
  const plain = written.toLowerCase().replaceAll('-', '');
  if (!ours.test(plain)) return [];
  return plain.startsWith(derived) ? null : [...new Set([plain, uuidOf(plain), written])];
}
