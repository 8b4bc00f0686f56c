/** What `lib/store/database.ts` gives for a column, whichever database it is read from. */
const types: Record<string, string> = {
  String: 'string',
  Int: 'number',
  BigInt: 'number',
  Boolean: 'boolean',
  DateTime: 'Date',
  Bytes: 'Uint8Array',
};

/** The source of a type that has, for each table of a Prisma schema, the columns and what they hold. */
export function rowTypesOf(schema: string): string {
  const models = [...schema.matchAll(/^model \w+ \{$([\s\S]*?)^\}$/gm)];
  const tables = models.map(([, body = '']) => {
    const [, table] = /@@map\("(\w+)"\)/.exec(body) ?? [];
    if (!table) throw new Error(`A model without @@map:\n${body}`);
    return `  ${table}: {\n${columnsOf(body).join('\n')}\n  };`;
  });
  return `// Made from schema.prisma by lib/tooling/rows.ts.
export type Rows = {\n${tables.join('\n')}\n};\n`;
}

/** A line for each field that is a column; relations are none. */
function columnsOf(model: string): string[] {
  return model.split('\n').flatMap((line) => {
    const [, field = '', kind = '', optional] = /^ {2}(\w+) +(\w+)(\?)?(?: |$)/.exec(line) ?? [];
    const type = types[kind];
    if (!type) return [];
    const [, column = field] = /@map\("(\w+)"\)/.exec(line) ?? [];
    return [`    ${column}: ${type}${optional ? ' | null' : ''};`];
  });
}
