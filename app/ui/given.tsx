/** Controls that reorder text, or hide in it, let a name look like another one. */
const disguises = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** What somebody else wrote, without the characters that disguise. */
export function plain(given: string): string {
  return given.replace(disguises, '');
}

/** What somebody else wrote - an app's name, a person's - kept from turning our sentence around. */
export function Given({ text, className }: { text: string; className?: string }) {
  return <bdi className={className}>{plain(text)}</bdi>;
}
