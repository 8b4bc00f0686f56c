/**
 * Figures about this code, to be compared with those of another commit: `node tests/measure.ts
 * [--list] [CHECKOUT]` (Node 24). With `--list` it names what it counted.
 */
import { globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
// It comes with vitest.
import { parseAst } from 'rolldown/parseAst';

const given = process.argv.slice(2);
const isListed = given.includes('--list');
const root = resolve(given.find((each) => each !== '--list') ?? '.');

/**
 * A word for one field of a noun. The files that contain it are those that a similar field would
 * touch.
 */
const fields: Record<string, RegExp> = {
  'an API’s field (token format)': /\b(tokenFormat|token_format|token-format)\b/,
  'a scope’s field (sensitive)': /\b(isSensitive|is_sensitive|sensitive)\b/,
  'an app’s field (lifetime of refresh tokens)': /\b(refreshTokenTtl|refresh_token_ttl)\b/,
  'a setting (registration of apps)': /\b(CLIENT_REGISTRATION|clientRegistration)\b/,
};

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Source = { file: string; text: string; functions: Figures[]; imports: Import[] };
type Figures = { at: string; parameters: number; lines: number; hasMarkup: boolean };
type Import = { target: string; isType: boolean };

/** Nobody reads what the build writes. */
const generated = ['lib/messages/compiled/**'];
const files = globSync(['lib/**/*.{ts,mjs}', 'app/**/*.{ts,tsx}', 'proxy.ts'], {
  cwd: root,
  exclude: generated,
});
const sources = files.map(readSource);

function readSource(file: string): Source {
  const text = readFileSync(resolve(root, file), 'utf8');
  const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  const source: Source = { file, text, functions: [], imports: [] };
  visit(tree, source);
  return source;
}

function visit(node: Node, source: Source): void {
  if (/Function(Expression|Declaration)$/.test(node.type) && node.body)
    source.functions.push(figuresOf(node, source));
  const from = (node.source as { value?: unknown } | null | undefined)?.value;
  if (typeof from === 'string')
    source.imports.push({ target: targetOf(source.file, from), isType: isTypeOnly(node) });
  for (const child of childrenOf(node)) visit(child, source);
}

function figuresOf(node: Node, { file, text }: Source): Figures {
  const linesOf = (from: number, to: number) => text.slice(from, to).split('\n').length;
  return {
    at: `${file}:${linesOf(0, node.start)}`,
    parameters: (node.params as unknown[]).length,
    lines: linesOf(node.start, node.end) - linesOfText(node, text),
    hasMarkup: hasMarkup(node),
  };
}

/**
 * The lines that a function only quotes: the text of a recipe, of a page that an endpoint writes,
 * or of a long statement. They are read as text, not as steps.
 */
function linesOfText(node: Node, text: string): number {
  if (node.type === 'TemplateElement')
    return text.slice(node.start, node.end).split('\n').length - 1;
  return childrenOf(node).reduce((sum, child) => sum + linesOfText(child, text), 0);
}

function hasMarkup(node: Node): boolean {
  return node.type.startsWith('JSX') || childrenOf(node).some(hasMarkup);
}

function isTypeOnly({ importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true;
  const named = (specifiers ?? []) as Node[];
  return named.length > 0 && named.every((each) => each.importKind === 'type');
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

function targetOf(file: string, from: string): string {
  if (from.startsWith('#')) return from.slice(1);
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : from;
}

/** Groups of files that import each other in a circle. */
function circles(counts: (one: Import) => boolean): string[][] {
  const graph = new Map(
    sources.map(({ file, imports }) => [file, imports.filter(counts).map(({ target }) => target)]),
  );
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(graph.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      if (graph.has(next) && !seen.has(next)) {
        seen.add(next);
        open.push(...(graph.get(next) ?? []));
      }
    return seen;
  };
  const reached = new Map(files.map((file) => [file, reach(file)]));
  const found = new Map<string, string[]>();
  for (const file of files) {
    if (!reached.get(file)?.has(file)) continue;
    const circle = files
      .filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file))
      .toSorted();
    found.set(circle.join(), circle);
  }
  return [...found.values()];
}

const functions = sources.flatMap((source) => source.functions);
const many = functions.filter(({ parameters }) => parameters >= 5);
const long = functions.filter(({ hasMarkup, lines }) => !hasMarkup && lines > 40);
const [straight, withTypes] = [circles(({ isType }) => !isType), circles(() => true)];
const joined = (circle: readonly string[]) => circle.join(' ');

/** The figures, and the names that `--list` prints. */
const figures: [what: string, how: number, names: readonly string[]][] = [
  ['files', files.length, []],
  ['lines', sources.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0), []],
  ['functions', functions.length, []],
  [
    'functions with five parameters or more',
    many.length,
    many.map(({ at, parameters }) => `${at} has ${parameters}`),
  ],
  [
    'functions over 40 lines, markup and texts left out',
    long.length,
    long.map(({ at, lines }) => `${at} has ${lines}`),
  ],
  ['circles of imports', straight.length, straight.map(joined)],
  ['circles of imports, types among them', withTypes.length, withTypes.map(joined)],
  ...Object.entries(fields).map(([what, word]): [string, number, string[]] => {
    const holding = sources.filter(({ text }) => word.test(text)).map(({ file }) => file);
    return [`files for ${what}`, holding.length, holding];
  }),
];
for (const [what, how, names] of figures) {
  console.log(`${String(how).padStart(7)}  ${what}`);
  if (isListed) for (const name of names) console.log(`           ${name}`);
}
