/**
 * The text of one section of the changelog, and the whole changelog with that section under a
 * version.
 */
type Released = { notes: string; changelog: string };

const unreleased = '## Unreleased';

/**
 * Moves the text under "Unreleased" to a version.
 * @param day of the release, as 2026-11-22
 * @returns null if there is no entry under "Unreleased"
 */
export function releaseChanges(changelog: string, version: string, day: string): Released | null {
  const lines = changelog.split('\n');
  const at = lines.findIndex((line) => line.trimEnd() === unreleased);
  if (at < 0) return null;
  const next = lines.findIndex((line, index) => index > at && line.startsWith('## '));
  const notes = lines
    .slice(at + 1, next < 0 ? undefined : next)
    .join('\n')
    .trim();
  if (!/^- /m.test(notes)) return null;
  const heading = `${unreleased}\n\n## ${version} (${day})\n\n${notes}\n`;
  const [above, below] = [lines.slice(0, at), next < 0 ? [] : ['', ...lines.slice(next)]];
  return { notes, changelog: `${above.join('\n')}\n${heading}${below.join('\n')}` };
}

/** Whether the notes contain more than fixes: something was added, changed or removed. */
export const isMoreThanFixes = (notes: string): boolean =>
  /^### (Added|Changed|Removed)\b/m.test(notes);
