import type { Text } from './text.ts';

/**
 * How an app's address for back-channel logout failed. @param failure the status that it answered,
 * or why it could not be reached
 */
export const failedLogoutText = (text: Text, failure: string): string =>
  /^\d+$/.test(failure)
    ? text('failedLogout.answered', { status: failure })
    : text('failedLogout.away', { reason: failure });
