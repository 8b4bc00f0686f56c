import { z } from 'zod';
import type { Scope, ScopeChange } from '#lib/management/scopes.ts';

type Seen = Required<ScopeChange>;
const seen = z.object({ description: z.string(), isDefault: z.boolean(), sensitive: z.boolean() });

/** A scope as a form was filled with it, to know at saving whether it has changed meanwhile. */
export function seenOf({ description, isDefault, sensitive }: Scope): string {
  return JSON.stringify({ description, isDefault, sensitive } satisfies Seen);
}

/** What `seenOf` wrote; undefined for anything else. */
export function readSeen(text: string): Seen | undefined {
  try {
    return seen.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
