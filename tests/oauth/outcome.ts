import { OAuthRefusal } from '#lib/oauth/errors.ts';

/** What something gives, or the code and the rule of the refusal that it throws. */
export function outcome<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof OAuthRefusal) return `${error.code} ${error.facts?.rule ?? ''}`.trim();
    throw error;
  }
}
