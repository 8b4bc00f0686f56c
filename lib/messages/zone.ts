/** The time zone with this name, or UTC if there is none: browsers can send any text. */
export function zoneNamed(name: string | undefined): string {
  if (!name || name.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** The moment when a day (2026-11-23) begins in a time zone; undefined if it is not a valid day. */
export function startOfDay(day: string | undefined, zone: string): Date | undefined {
  const utc = /^\d{4}-\d\d-\d\d$/.test(day ?? '') ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(utc)) return undefined;
  // Twice: the clock may change between midnight there and midnight in UTC.
  const first = utc - aheadOfUtc(utc, zone);
  return new Date(utc - aheadOfUtc(first, zone));
}

/** The day of a moment in a time zone, in the format of a date field. */
export function dayOf(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
}

/** How many milliseconds the clocks of a time zone are ahead of UTC at a moment. */
function aheadOfUtc(at: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
