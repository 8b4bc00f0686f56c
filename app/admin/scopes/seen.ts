import { z } from 'zod';
import type { Scope, ScopeChange } from '#lib/management/scopes.ts';

type Seen = Required<ScopeChange>;
const seen = z.object({ description: z.string(), isDefault: z.boolean(), sensitive: z.boolean() });

/** The version of a scope a form was filled with, to detect concurrent changes. */
export function seenOf({ description, isDefault, sensitive }: Scope): string {
  return JSON.stringify({ description, isDefault, sensitive } satisfies Seen);
}

/** Parses the output of `seenOf`; undefined for anything else. */
export function readSeen(text: string): Seen | undefined {
  try {
    return seen.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
