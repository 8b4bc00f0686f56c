/** A line of a CSV file. A null value is an empty cell. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map((value) => csvCell(value ?? '')).join(',')}\r\n`;
}

/**
 * A CSV cell (RFC 4180). Spreadsheets run text that starts with one of these characters as a
 * formula; an apostrophe prevents that.
 */
export function csvCell(text: string): string {
  const inert = /^[\s]*[=+\-@\t\r|]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
