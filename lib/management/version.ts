import { digest } from '../oauth/secrets.ts';

/** The version of something that is kept without the time of its last change: equal ones have the same. */
export const versionOf = (...said: readonly unknown[]): string => digest(JSON.stringify(said));
