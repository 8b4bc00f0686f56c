/** Longer names can't be a typing mistake, and would take long to compare. */
const longest = 100;

/**
 * The known name that was probably meant: at most a third of the letters differ. The time depends
 * only on the number of known names, not on what was sent.
 */
export function nearest(sent: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(sent.length / 3));
  const typed = plainly(sent);
  return known
    .filter((each) => Math.abs(each.length - typed.length) <= most && each.length <= longest)
    .map((each) => ({ each, away: distance(typed, plainly(each)) }))
    .filter(({ away }) => away <= most)
    .sort((one, other) => one.away - other.away)[0]?.each;
}

const plainly = (name: string) => name.toLowerCase().replaceAll('-', '_').slice(0, longest);

/** The number of letters to insert, remove or replace. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1];
    for (const [at, wanted] of [...other].entries())
      now.push(
        Math.min(
          (now[at] ?? 0) + 1,
          (before[at + 1] ?? 0) + 1,
          (before[at] ?? 0) + Number(letter !== wanted),
        ),
      );
    before = now;
  }
  return before[other.length] ?? 0;
}
