/** A text to paste, and its language. */
export type Text = { language: Language; text: string };

/**
 * How a value is written in a text: quoted by the rules of the language. Values are always
 * printable ASCII.
 */
const literals = {
  // Unquoted if the shell has no special meaning for any of it.
  shell: (value: string) =>
    /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`,
  javascript: doubleQuoted,
  typescript: doubleQuoted,
  json: doubleQuoted,
  yaml: doubleQuoted,
  go: doubleQuoted,
  java: doubleQuoted,
  csharp: doubleQuoted,
  python: doubleQuoted,
  swift: (value: string) => JSON.stringify(value),
  kotlin: (value: string) => JSON.stringify(value).replaceAll('$', '\\$'),
  gradle: singleQuoted,
  ruby: singleQuoted,
  php: singleQuoted,
  // These formats have no quoting that all their readers agree on.
  env: plain,
  ini: plain,
  apache: plain,
  properties: plain,
  text: plain,
  html: plain,
} as const satisfies Record<string, (value: string) => string>;

export type Language = keyof typeof literals;

/**
 * A JSON string is also valid in YAML, Python, Go, Java and JavaScript; `<` could end a script
 * element.
 */
function doubleQuoted(value: string): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function singleQuoted(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** @throws Error for a value that could end early or begin something else */
function plain(value: string): string {
  if (!/^[\w.~:/?&=%@+,[\]-]*$/.test(value))
    throw new Error(`A value holds what this language could misread: ${JSON.stringify(value)}`);
  return value;
}

/** @throws Error if the value cannot be written in this language */
export function literal(language: Language, value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value))
    throw new Error(`A value is not printable ASCII: ${JSON.stringify(value)}`);
  return literals[language](value);
}

/** A part of the text itself, written by us; never an answer. */
export type Verbatim = { verbatim: string };

/** Returns the part if the condition holds, else nothing. */
export function onlyIf(condition: boolean, verbatim: string): Verbatim {
  return { verbatim: condition ? verbatim : '' };
}

type Tag = (strings: TemplateStringsArray, ...values: readonly (string | Verbatim)[]) => Text;

/**
 * A tag for template literals: each value is quoted, backslashes are kept, and the common indent is
 * removed.
 */
function tag(language: Language): Tag {
  return ({ raw }, ...values) => {
    const [first = '', ...rest] = dedent(raw);
    const text = values.reduce<string>(
      (before, value, index) => before + written(language, value) + (rest[index] ?? ''),
      first,
    );
    return { language, text };
  };
}

function written(language: Language, value: string | Verbatim): string {
  return typeof value === 'string' ? literal(language, value) : value.verbatim;
}

/**
 * Returns the fixed parts without the indent that all lines share, and without the first and last
 * line break.
 */
function dedent(parts: readonly string[]): string[] {
  const lines = parts.join('').split('\n').slice(1);
  const depths = lines.filter((line) => line.trim()).map((line) => line.search(/[^ ]/));
  const indent = new RegExp(`\\n {0,${Math.min(...depths)}}`, 'g');
  const cut = parts.map((part) => part.replace(indent, '\n'));
  cut[0] = cut[0]?.replace(/^\n/, '') ?? '';
  cut[cut.length - 1] = cut.at(-1)?.replace(/\n *$/, '\n') ?? '';
  return cut;
}

/** Joins several parts into one text. */
export const joined = (between: string, first: Text, ...rest: readonly Text[]): Text => ({
  language: first.language,
  text: [first, ...rest].map((part) => part.text).join(between),
});

export const shell = tag('shell');
export const javascript = tag('javascript');
export const typescript = tag('typescript');
export const json = tag('json');
export const yaml = tag('yaml');
export const go = tag('go');
export const java = tag('java');
export const csharp = tag('csharp');
export const python = tag('python');
export const swift = tag('swift');
export const kotlin = tag('kotlin');
export const gradle = tag('gradle');
export const html = tag('html');
export const ruby = tag('ruby');
export const php = tag('php');
export const env = tag('env');
export const ini = tag('ini');
export const apache = tag('apache');
export const properties = tag('properties');
export const text = tag('text');
