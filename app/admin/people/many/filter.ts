import { notFound } from 'next/navigation';
import type { z } from 'zod';
import type { peopleFilter } from '#lib/management/user/filter.ts';
import { roles } from '#lib/people/roles.ts';
import { oneOf, switchOf } from '../../../params.ts';

type Query = Readonly<Record<string, string>>;
type Said = z.input<z.ZodObject<typeof peopleFilter>>;

/** What in the address of the list of people narrows it down, as acts take it. */
const read: Readonly<Record<string, (value: string) => Said>> = {
  q: (value) => ({ q: value.slice(0, 200) }),
  role: (value) => ({ role: oneOf(roles, value) }),
  state: (value) =>
    value === 'locked' ? { locked: true } : { disabled: switchOf(value, 'disabled', 'enabled') },
  quiet: (value) => ({ not_signed_in_for: value.replace(/^days(\d+)$/, '$1 days') }),
};
/** What stands in it besides. */
const beside = ['sort', 'page', 'after'];

/** The people that the list shows, as acts take them: nothing may stand there that is not understood. */
export function allIn(query: Query): Said & { everyone?: boolean } {
  const filters = Object.entries(query).filter(([name, value]) => value && !beside.includes(name));
  if (filters.length === 0) return { everyone: true };
  const said: Said[] = filters.map(([name, value]) => (read[name] ?? notFound())(value));
  return Object.assign({}, ...said);
}
