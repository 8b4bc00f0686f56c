import {
  type ClientSettings,
  clientFieldNames,
  clientFields,
  type FieldKind,
  type FieldOf,
} from '../oauth/client.ts';
import { sortKey } from '../people/sort-key.ts';
import type { Columns } from './engine/database.ts';
import { wordsIn } from './engine/parameters.ts';
import type { SqlValue } from './engine/statement.ts';

type AddressField = FieldOf<'addresses'>;
type ColumnField = Exclude<keyof ClientSettings, AddressField>;
/** The settings stored in the row of a client itself. */
export type ClientColumns = Pick<ClientSettings, ColumnField>;

type ClientRow = Columns<'clients', ColumnField>;
/** `requirePkce` is stored in `require_pkce`. */
const columnOf = (field: ColumnField) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The `kind` of their rows in client_addresses. */
const addressKinds: Record<AddressField, string> = {
  redirectUris: 'redirect',
  postLogoutRedirectUris: 'post_logout',
  guardedSites: 'site',
};
const addressFields = Object.keys(addressKinds) as AddressField[];

const columns = clientFieldNames
  .filter((field): field is ColumnField => !(field in addressKinds))
  .map((field) => ({ field, kind: clientFields[field].kind, column: columnOf(field) }));

/** The columns that an admin decides on, and what follows from them. */
export const clientColumns = [...columns.map(({ column }) => column), 'sort_key'];

/** The values for these columns, by the name of the column. */
export function clientValues(client: ClientSettings): Record<string, SqlValue> {
  const values = columns.map(({ field, kind, column }) => [column, stored(kind, client[field])]);
  return { ...Object.fromEntries(values), sort_key: sortKey(client.name) };
}

function stored(kind: FieldKind, value: ClientSettings[ColumnField]): SqlValue {
  if (value === null || typeof value !== 'object') return value;
  return isJson(kind) || !Array.isArray(value) ? JSON.stringify(value) : value.join(' ');
}

const isJson = (kind: FieldKind) => kind === 'pairs' || kind === 'federations';

/** The columns of some fields; addresses are separate rows. */
export function columnsOf(fields: readonly (keyof ClientSettings)[]): string[] {
  const own = columns.filter(({ field }) => fields.includes(field)).map(({ column }) => column);
  return fields.includes('name') ? [...own, 'sort_key'] : own;
}

/** The values of these columns in a row of `clients`. */
export function readClientColumns(row: ClientRow): ClientColumns {
  const entries = columns.map(({ field, kind }) => {
    const value = row[field];
    return [field, typeof value === 'string' ? readText(kind, value) : value];
  });
  return Object.fromEntries(entries) as ClientColumns;
}

function readText(kind: FieldKind, text: string): unknown {
  if (isJson(kind)) return JSON.parse(text);
  return kind === 'words' || kind === 'wordsOrServer' ? wordsIn(text) : text;
}

/** A row of client_addresses. */
export type ClientAddress = { kind: string; uri: string };

/** All settings of a client. `addresses` are its rows of client_addresses, in order. */
export function readClientSettings(
  row: ClientRow,
  addresses: readonly ClientAddress[],
): ClientSettings {
  const uris = addressFields.map((field) => [
    field,
    addresses.filter(({ kind }) => kind === addressKinds[field]).map(({ uri }) => uri),
  ]);
  return { ...readClientColumns(row), ...Object.fromEntries(uris) } as ClientSettings;
}

/** The rows of client_addresses that a client should have. */
export function addressRowsOf(client: ClientSettings): (ClientAddress & { position: number })[] {
  return addressFields.flatMap((field) =>
    client[field].map((uri, position) => ({ kind: addressKinds[field], uri, position })),
  );
}
