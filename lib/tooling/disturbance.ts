import { nameIn, type Statement, statementsOf, type Token } from './sql-tokens.ts';

/** A version that does not know the migration does not use any of it. */
type Made = {
  tables: Set<string>;
  /** `table.column`, with whether it stays empty in rows that other versions write. */
  columns: Map<string, { staysEmpty: boolean }>;
};

/**
 * Explains why a version that does not know a migration could not keep serving beside one that
 * does. Null means it could, because the migration only adds what the other version can ignore.
 * Anything not known to be harmless counts as a disturbance.
 * @param sql the whole of a migration, for either database
 * @returns part of a sentence, beginning with a verb
 */
export function disturbanceIn(sql: string): string | null {
  const made: Made = { tables: new Set(), columns: new Map() };
  for (const statement of statementsOf(sql)) {
    const disturbance = judge(statement, made);
    if (disturbance) return disturbance;
  }
  return null;
}

function judge(statement: Statement, made: Made): string | null {
  const [first, second, third] = statement.map(({ text }) => text);
  if (first === 'CREATE' && second === 'TABLE') return judgeTable(statement.slice(2), made);
  if (first === 'CREATE' && second === 'INDEX') return judgeIndex(statement.slice(2), false, made);
  if (first === 'CREATE' && second === 'UNIQUE' && third === 'INDEX')
    return judgeIndex(statement.slice(3), true, made);
  if (first === 'ALTER' && second === 'TABLE') return judgeAlteration(statement.slice(2), made);
  if (first === 'INSERT' && second === 'INTO') return judgeFilling(statement[2], made);
  return `does "${headOf(statement)}", which is not known to be harmless`;
}

const headOf = (statement: Statement) =>
  statement
    .slice(0, 6)
    .map(({ text }) => text)
    .join(' ');

/** `"name" (…)` */
function judgeTable([first, ...rest]: Statement, made: Made): string | null {
  const table = nameIn(first);
  if (!table || rest[0]?.text !== '(' || lengthOfGroup(rest) !== rest.length)
    return 'makes a table in a way that is not known to be harmless';
  made.tables.add(table);
  return firstOf(partsOf(rest.slice(1, -1)), (part) => judgeReference(part, made));
}

/** Returns the first finding about one of the parts, or null. */
function firstOf(parts: Statement[], look: (part: Statement) => string | null): string | null {
  for (const part of parts) {
    const found = look(part);
    if (found !== null) return found;
  }
  return null;
}

/** A version that does not know the rows must be able to delete what they refer to. */
function judgeReference(part: Statement, made: Made): string | null {
  const at = part.findIndex(({ is, text }) => is === 'word' && text === 'REFERENCES');
  if (at < 0) return null;
  const target = nameIn(part[at + 1]);
  if (!target) return 'refers to a table in a way that is not known to be harmless';
  if (made.tables.has(target)) return null;
  const words = part.slice(at).map(({ text }) => text);
  const onDelete = words.findIndex((word, i) => word === 'ON' && words[i + 1] === 'DELETE');
  const action = onDelete < 0 ? '' : words.slice(onDelete + 2, onDelete + 4).join(' ');
  if (/^(CASCADE|SET NULL)\b/.test(action)) return null;
  return `keeps rows of "${target}" from being deleted`;
}

/** Words that may come before a parenthesis in an index, because they fail for no value. */
const harmlessBefore = new Set([
  'COALESCE',
  'LOWER',
  'UPPER',
  'SUBSTR',
  'WHERE',
  'AND',
  'OR',
  'IN',
]);
const harmlessSigns = new Set(['(', ')', ',', '=', '<', '>']);

/** `"name" ON "table" (…)` and perhaps `WHERE …` */
function judgeIndex(statement: Statement, isUnique: boolean, made: Made): string | null {
  const [name, on, first, ...rest] = statement;
  const table = nameIn(first);
  if (!nameIn(name) || on?.text !== 'ON' || !table)
    return 'makes an index in a way that is not known to be harmless';
  if (made.tables.has(table)) return null;
  if (rest.some((token, at) => mayFail(token, rest[at - 1])))
    return `makes an index on "${table}" of something that may fail`;
  if (!isUnique) return null;
  const items = partsOf(rest.slice(1, lengthOfGroup(rest) - 1));
  const staysEmpty = items.some((item) => item.length === 1 && isLeftEmpty(table, item[0], made));
  return staysEmpty && lengthOfGroup(rest) === rest.length
    ? null
    : `demands of "${table}" that no two rows have the same`;
}

function mayFail({ is, text }: Token, before: Token | undefined): boolean {
  if (is === 'sign' && !harmlessSigns.has(text)) return true;
  const opens = text === '(' && (before?.is === 'word' || before?.is === 'name');
  return opens && !harmlessBefore.has(before.text.toUpperCase());
}

/** Whether a column is new and stays empty in rows written by versions that do not know it. */
function isLeftEmpty(table: string, column: Token | undefined, made: Made): boolean {
  return made.columns.get(`${table}.${nameIn(column)}`)?.staysEmpty === true;
}

/** `"table" ADD COLUMN …, ADD COLUMN …` */
function judgeAlteration([first, ...rest]: Statement, made: Made): string | null {
  const table = nameIn(first);
  if (!table) return 'changes a table in a way that is not known to be harmless';
  return firstOf(partsOf(rest), (action) => judgeAction(table, action, made));
}

function judgeAction(table: string, action: Statement, made: Made): string | null {
  const [verb, what, third] = action;
  const isNew = made.tables.has(table);
  const name = nameIn(third);
  if (verb?.text === 'ADD' && what?.text === 'COLUMN' && name)
    return judgeColumn(table, name, action.slice(3), made);
  if (verb?.text === 'ADD' && what?.text === 'CONSTRAINT' && name)
    return isNew || isForeignKeyOfNew(table, action.slice(3), made)
      ? judgeReference(action, made)
      : `demands of "${table}" what it did not demand before`;
  return isNew ? null : `does "${headOf(action)}" to "${table}"`;
}

/** `FOREIGN KEY ("column") REFERENCES …` on a column that no other version fills. */
function isForeignKeyOfNew(table: string, [foreign, key, ...rest]: Statement, made: Made): boolean {
  if (foreign?.text !== 'FOREIGN' || key?.text !== 'KEY') return false;
  const columns = partsOf(rest.slice(1, lengthOfGroup(rest) - 1));
  return columns.every(([column]) => isLeftEmpty(table, column, made));
}

/** Clauses that a new column may not have beside its type. */
const refusedOfColumns = ['UNIQUE', 'PRIMARY', 'CHECK', 'GENERATED', 'IDENTITY', 'AUTOINCREMENT'];
const constants = new Set(['TRUE', 'FALSE', 'CURRENT_TIMESTAMP']);

function judgeColumn(table: string, name: string, says: Statement, made: Made): string | null {
  const words = says.map(({ is, text }) => (is === 'word' ? text : ''));
  const isFilled = words.some((word, i) => word === 'NOT' && words[i + 1] === 'NULL');
  const at = words.indexOf('DEFAULT');
  const hasDefault = at >= 0 && words[at + 1] !== 'NULL';
  if (words.some((word) => refusedOfColumns.includes(word)))
    return `adds "${name}" to "${table}" with a demand on what stands in it`;
  if (hasDefault && !isConstant(says.slice(at + 1)))
    return `adds "${name}" to "${table}" with a default that is worked out`;
  if (isFilled && !hasDefault && !made.tables.has(table))
    return `adds "${name}" to "${table}", which has to be filled`;
  made.columns.set(`${table}.${name}`, { staysEmpty: !hasDefault });
  return judgeReference(says, made);
}

/** Whether a default is the same constant for all rows, with no expression continuing after it. */
function isConstant([first, second]: Statement): boolean {
  if (first?.text === '-') return second?.is === 'number';
  const isValue =
    first?.is === 'text' || first?.is === 'number' || constants.has(first?.text ?? '');
  return isValue && (second === undefined || second.is === 'word');
}

function judgeFilling(into: Token | undefined, made: Made): string | null {
  const table = nameIn(into);
  return table && made.tables.has(table)
    ? null
    : `writes into "${table ?? ''}", which was there before`;
}

/** Splits tokens at commas, except commas within parentheses. */
function partsOf(tokens: Statement): Statement[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** The number of tokens in a group that begins with a parenthesis, counting both parentheses. */
function lengthOfGroup(tokens: Statement): number {
  let depth = 0;
  for (const [at, { text }] of tokens.entries()) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}
