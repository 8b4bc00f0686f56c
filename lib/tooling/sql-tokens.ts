/** A token of SQL: a word in capitals, a name as it is stored, a string, a number, or a sign. */
export type Token = { is: 'word' | 'name' | 'text' | 'number' | 'sign'; text: string };
export type Statement = readonly Token[];

/** A quoted name, or an unquoted one, which reads as a word; null if it is neither. */
export const nameIn = (token: Token | undefined): string | null =>
  token?.is === 'name' || token?.is === 'word' ? token.text.toLowerCase() : null;

/** Splits SQL into statements, without comments. */
export function statementsOf(sql: string): Statement[] {
  const statements: Token[][] = [[]];
  for (const token of tokensOf(sql)) {
    if (token.is === 'sign' && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

const pieces =
  /--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|'(?:[^']|'')*'|"([^"]*)"|[A-Za-z_]\w*|\d[\d.]*|\S/g;

function* tokensOf(sql: string): Generator<Token> {
  for (const [text, name] of sql.matchAll(pieces)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue;
    if (name !== undefined) yield { is: 'name', text: name };
    else if (text.startsWith("'")) yield { is: 'text', text };
    else if (/^[A-Za-z_]/.test(text)) yield { is: 'word', text: text.toUpperCase() };
    else yield { is: /^\d/.test(text) ? 'number' : 'sign', text };
  }
}
