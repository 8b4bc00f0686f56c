/** One thing that is wrong with the file. */
export type Fault = { path: readonly (string | number)[]; line: number | null; sentence: string };

/** So many faults are told. */
export const mostShown = 50;

/** The file cannot be applied; nothing was changed. One line for each thing that is wrong. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly lines: readonly string[];
  readonly wrong: readonly Fault[];

  constructor(file: string, wrong: readonly Fault[]) {
    const shown = wrong.slice(0, mostShown).map((fault) => sayFault(file, fault));
    const more = wrong.length > mostShown ? ['… and more.'] : [];
    const lines = [...shown, ...more];
    super(lines.join('\n'));
    this.lines = lines;
    this.wrong = wrong;
  }
}

function sayFault(file: string, { path, line, sentence }: Fault): string {
  const where = line === null ? file : `${file}:${line}`;
  const what = sayPath(path);
  const joined = /^(takes|is|needs|stands) /.test(sentence)
    ? `${what} ${sentence}`
    : `${what}: ${sentence}`;
  return plain(`${where}: ${what === '' ? sentence : joined}`);
}

/** `apps.grafana.redirect_uris[0]`, as people write it; what stands below a secret may be one. */
export function sayPath(path: readonly (string | number)[]): string {
  const isSecret = path[0] === 'apps' && path[2] === 'secret';
  return (isSecret ? path.slice(0, 3) : path)
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 80)}`))
    .join('')
    .replace(/^\./, '');
}

/** What comes from the file must not control a terminal. */
const plain = (text: string) => text.replace(/\p{C}/gu, '?');

/** The known name that somebody may have meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  const typed = name.toLowerCase().replaceAll('-', '_').slice(0, 100);
  return known
    .map((each) => ({ each, away: distance(typed, each.toLowerCase()) }))
    .filter(({ away }) => away <= most)
    .sort((one, other) => one.away - other.away)[0]?.each;
}

/** How many letters have to be put in, taken out or replaced. */
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
