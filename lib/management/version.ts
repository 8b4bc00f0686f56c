import { digest } from '../oauth/secrets.ts';

/** The version of something that is stored with the time of its last change. */
export const versionAt = ({ updated_at }: { updated_at: Date }): string =>
  String(updated_at.getTime());

/** The time in a version from `versionAt`. Any other text gives a time that matches no change. */
export const timeSeen = (version?: string): Date | undefined =>
  version === undefined ? undefined : new Date(Number(version));

/** The version of something that is stored without such a time. Equal values have equal ones. */
export const versionOf = (...said: readonly unknown[]): string => digest(JSON.stringify(said));
