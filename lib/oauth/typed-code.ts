/**
 * A code as it is meant, however a person typed or pasted it: decimal digits of every script by
 * their value (Unicode general category Nd), full-width letters as those of ASCII, all in capitals,
 * without what stands around and between them: blanks, dashes, quotes, brackets, invisible signs.
 */
export function typedCode(typed: string): string {
  return typed
    .slice(0, 200)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?!\d)\p{Nd}/gu, digitValue)
    .toUpperCase();
}

/** The value of a decimal digit (Nd). The digits of a script follow one another, from a multiple of ten after the first of its run. */
export function digitValue(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
