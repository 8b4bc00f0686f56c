import { type Path, sayPath } from '../management/shape-faults.ts';

/** One thing that is wrong with the file. */
export type Fault = { path: Path; line: number | null; sentence: string };

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

/** The fault with the name of its place before it. */
function sayAt(place: string, sentence: string): string {
  if (place === '') return sentence;
  const goesOn = /^(takes|is|needs|stands) /.test(sentence);
  return goesOn ? `${place} ${sentence}` : `${place}: ${sentence}`;
}

function sayFault(file: string, { path, line, sentence }: Fault): string {
  const where = line === null ? file : `${file}:${line}`;
  return plain(`${where}: ${sayAt(placeOf(path), sentence)}`);
}

/** `apps.grafana.redirect_uris[0]`; what stands below a secret may be one. */
function placeOf(path: Path): string {
  const isSecret = path[0] === 'apps' && path[2] === 'secret';
  return sayPath(isSecret ? path.slice(0, 3) : path);
}

/** What comes from the file must not control a terminal. */
const plain = (text: string) => text.replace(/\p{C}/gu, '?');
