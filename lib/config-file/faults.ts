import { type Path, sayPath } from '../management/shape-faults.ts';

export type Fault = { path: Path; line: number | null; sentence: string };

export const mostShown = 50;

/** The file cannot be applied, and nothing was changed. One line for each thing that is wrong. */
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

function sayAt(place: string, sentence: string): string {
  if (place === '') return sentence;
  const goesOn = /^(takes|is|needs|stands) /.test(sentence);
  return goesOn ? `${place} ${sentence}` : `${place}: ${sentence}`;
}

function sayFault(file: string, { path, line, sentence }: Fault): string {
  const where = line === null ? file : `${file}:${line}`;
  return plain(`${where}: ${sayAt(placeOf(path), sentence)}`);
}

/** Such as `apps.grafana.redirect_uris[0]`. It ends at `secret`: what is below may be one. */
function placeOf(path: Path): string {
  const isSecret = path[0] === 'apps' && path[2] === 'secret';
  return sayPath(isSecret ? path.slice(0, 3) : path);
}

/** Text from the file must not control a terminal. */
const plain = (text: string) => text.replace(/\p{C}/gu, '?');
