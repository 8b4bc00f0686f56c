import type { z } from 'zod';
import type { clientTold } from '../management/client/fields.ts';
import { pairLine } from '../management/pairs.ts';
import type { Answer } from './answer.ts';
import { facts } from './text.ts';

type Told = z.output<typeof clientTold>;

/** The answer of a command about a client, including its secret if one was just made. */
export function aboutClient(client: Told, secret: string | null = null): Answer {
  const { contacts, owner, allowed_groups, allowed_users, allowed_user_ends } = client;
  const people = { contacts, owner, allowed_groups, allowed_users, allowed_user_ends };
  const note = allowed_groups.length + allowed_users.length > 0 && client.access === 'everybody';
  const json = {
    ...toJson(client, secret),
    ...people,
    ...(note && { note: listIsIdle(client.client_id) }),
  };
  const shown = Object.entries(json).filter(
    ([name, value]) =>
      value !== null &&
      name !== 'secrets' &&
      name !== 'shown_name' &&
      !(name in people && typeof value === 'object' && Object.keys(value).length === 0),
  );
  const lines = shown.map(([name, value]): [string, string] => [
    name,
    Array.isArray(value)
      ? value.map(plain).join(name === 'allowed_groups' ? ', ' : ' ')
      : say(value),
  ]);
  const keep = secret === null ? '' : '\n\nCopy the client_secret now. It will not be shown again.';
  return { json, text: facts(lines) + keep };
}

/** Objects in a list are shown as JSON, as the option takes them. */
const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value);

const listIsIdle = (id: string) =>
  `Everyone may use this client: the list restricts nothing until "client update ${id} --access listed".`;

function say(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => pairLine([name, say(one)]))
    .join(', ');
}

/** In the order and under the names that this command has always used. */
function toJson(client: Record<string, unknown>, secret: string | null): Record<string, unknown> {
  const { client_id, name, type, description, home_page, logo, ...rest } = client;
  const { disabled, secrets, created_at, updated_at, shown_name, ...fields } = rest;
  const {
    contacts: _,
    owner: __,
    allowed_groups: ___,
    allowed_users: ____,
    allowed_user_ends: _____,
    client_secret: ______,
    ...others
  } = fields;
  return {
    client_id,
    ...(secret === null ? {} : { client_secret: secret }),
    name,
    type,
    description,
    home_page,
    logo,
    ...Object.fromEntries(Object.entries(others).map(shownAs)),
    disabled,
    secrets,
    created_at,
    updated_at,
    shown_name,
  };
}

function shownAs([name, value]: [string, unknown]): [string, unknown] {
  if (name === 'scopes') return ['scope', Array.isArray(value) ? value.join(' ') : value];
  return name === 'send_iss' ? ['iss', value] : [name, value];
}
