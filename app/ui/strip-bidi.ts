/** Characters that reorder or hide text can make one name look like another. */
const disguises = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** Untrusted text without such characters. */
export function stripBidi(given: string): string {
  return given.replace(disguises, '');
}
