/** A line of a CSV file. A null value is an empty cell. */
export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map((value) => csvCell(value ?? '')).join(',')}\r\n`;
}

/** RFC 4180. An apostrophe keeps spreadsheets from running it as a formula. */
export function csvCell(text: string): string {
  const inert = /^[\s]*[=+\-@\t\r|]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
