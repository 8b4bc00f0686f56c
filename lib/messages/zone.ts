/** The time zone of this name, or UTC where there is none: what a browser said is believed only so far. */
export function zoneNamed(name: string | undefined): string {
  if (!name || name.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
