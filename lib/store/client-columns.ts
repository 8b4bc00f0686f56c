import {
  type ClientSettings,
  clientFieldNames,
  clientFields,
  type FieldKind,
  type FieldOf,
  type KindValue,
} from '../oauth/client.ts';
import type { Row, SqlValue } from './database.ts';

type AddressField = FieldOf<'addresses'>;
type ColumnField = Exclude<keyof ClientSettings, AddressField>;
/** What stands in the row of a client itself. */
export type ClientColumns = Pick<ClientSettings, ColumnField>;

const words = (cell: unknown) => String(cell).split(' ').filter(Boolean);
const orNull =
  <T>(read: (cell: unknown) => T) =>
  (cell: unknown) =>
    cell === null ? null : read(cell);

/** What a cell holds, by the kind of its field. */
const reading: {
  [Kind in Exclude<FieldKind, 'addresses'>]: (cell: unknown) => KindValue<Kind>;
} = {
  text: String,
  textOrNone: orNull(String),
  choice: String,
  words,
  wordsOrServer: orNull(words),
  switch: Boolean,
  switchOrServer: orNull(Boolean),
  secondsOrServer: orNull(Number),
};

/** What their rows in client_addresses are called. */
const addressKinds: Record<AddressField, string> = {
  redirectUris: 'redirect',
  postLogoutRedirectUris: 'post_logout',
};
const addressFields = Object.keys(addressKinds) as AddressField[];

const columns = clientFieldNames
  .filter((field): field is ColumnField => !(field in addressKinds))
  .map((field) => ({
    field,
    // `requirePkce` stands in `require_pkce`.
    column: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    read: reading[clientFields[field].kind],
  }));

/** The columns that an admin decides about, in the order of `clientValues`. */
export const clientColumns = columns.map(({ column }) => column);

/** What these columns are to hold. */
export function clientValues(client: ClientSettings): SqlValue[] {
  return columns.map(({ field }) => {
    const value = client[field];
    return typeof value === 'object' && value !== null ? value.join(' ') : value;
  });
}

/** What these columns hold in a row of clients. */
export function readClientColumns(row: Row): ClientColumns {
  return Object.fromEntries(
    columns.map(({ field, column, read }) => [field, read(row[column])]),
  ) as ClientColumns;
}

/** A row of client_addresses. */
export type ClientAddress = { kind: string; uri: string };

/** All that is decided about a client. `addresses` are its rows of client_addresses, in their order. */
export function readClientSettings(row: Row, addresses: readonly ClientAddress[]): ClientSettings {
  const uris = addressFields.map((field) => [
    field,
    addresses.filter(({ kind }) => kind === addressKinds[field]).map(({ uri }) => uri),
  ]);
  return { ...readClientColumns(row), ...Object.fromEntries(uris) } as ClientSettings;
}

/** The rows of client_addresses that a client is to have. */
export function addressesOf(client: ClientSettings): (ClientAddress & { position: number })[] {
  return addressFields.flatMap((field) =>
    client[field].map((uri, position) => ({ kind: addressKinds[field], uri, position })),
  );
}
