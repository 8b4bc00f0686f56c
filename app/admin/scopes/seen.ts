import { z } from 'zod';
import type { ScopeRow } from '#lib/oauth/scope.ts';

type Seen = Omit<ScopeRow, 'name'>;
const seen = z.object({
  description: z.string(),
  translations: z.record(z.string(), z.string()),
  isDefault: z.boolean(),
  sensitive: z.boolean(),
});

/** The version of a scope a form was filled with, to detect concurrent changes. */
export function seenOf({ description, translations, isDefault, sensitive }: ScopeRow): string {
  return JSON.stringify({ description, translations, isDefault, sensitive } satisfies Seen);
}

/** Parses the output of `seenOf`; undefined for anything else. */
export function readSeen(text: string): Seen | undefined {
  try {
    return seen.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
