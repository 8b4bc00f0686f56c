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

/** The languages that a text can be written in. */
export const languages = Object.keys(literals) as readonly Language[];
