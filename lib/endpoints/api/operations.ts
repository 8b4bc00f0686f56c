import type { ApiNoun } from '../../management/api-key/rights.ts';
import { isCreation } from './call.ts';
import { listIn } from './lists.ts';
import { type AnyAct, type ApiMethod, routes } from './routes.ts';

/** One call of the API, as described in documents. */
export type Operation = {
  noun: ApiNoun;
  template: string;
  method: ApiMethod;
  act: AnyAct;
  /** For example `group_members_add`. */
  id: string;
};

/** All calls, in the order of the table of routes. */
export const operations: readonly Operation[] = Object.entries(routes).flatMap(
  ([noun, templates]) =>
    Object.entries(templates).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, act]) => {
        const place = { noun: noun as ApiNoun, template, method: method as ApiMethod, act };
        return { ...place, id: idOf(place) };
      }),
    ),
);

function idOf({ noun, template, method, act }: Omit<Operation, 'id'>): string {
  const parts = template.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const [first = ''] = parts;
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  // A collection beside the noun's main address, such as `/invitation-lists` or `/unused-users`.
  const beside = [];
  if (first.startsWith(`${noun}-`)) beside.push(first.slice(noun.length + 1));
  if (first.endsWith(`-${many}`)) beside.push(first.slice(0, -many.length - 1));
  const below = [...beside, ...parts.slice(parts.indexOf(many) + 1 || 1)];
  const verbs = {
    GET: listIn(act) === null ? 'show' : 'list',
    PATCH: 'update',
    PUT: 'set',
    DELETE: 'delete',
  };
  const verb =
    method === 'POST' ? (isCreation({ noun, template, method }) ? 'create' : '') : verbs[method];
  return [noun.replaceAll('-', '_'), ...below.map((part) => part.replaceAll('-', '_')), verb]
    .filter(Boolean)
    .join('_');
}
