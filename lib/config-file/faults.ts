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
function sayPath(path: readonly (string | number)[]): string {
  const isSecret = path[0] === 'apps' && path[2] === 'secret';
  return (isSecret ? path.slice(0, 3) : path)
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 80)}`))
    .join('')
    .replace(/^\./, '');
}

/** What comes from the file must not control a terminal. */
const plain = (text: string) => text.replace(/\p{C}/gu, '?');
