import { OAuthRefusal } from '#lib/oauth/errors.ts';

/** The result of some work, or the code and rule of the refusal that it throws. */
export function outcome<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof OAuthRefusal) return `${error.code} ${error.facts?.rule ?? ''}`.trim();
    throw error;
  }
}
