import { digest } from '../oauth/secrets.ts';

/** The version of something that is kept with the time of its last change. */
export const versionAt = ({ updated_at }: { updated_at: Date }): string =>
  String(updated_at.getTime());

/** The time that `versionAt` told; of any other text one that nothing was changed at. */
export const timeSeen = (version?: string): Date | undefined =>
  version === undefined ? undefined : new Date(Number(version));

/** The version of something that is kept without that time: equal ones have the same. */
export const versionOf = (...said: readonly unknown[]): string => digest(JSON.stringify(said));
