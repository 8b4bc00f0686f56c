/** The type that `lib/store/engine/database.ts` returns for a column, from either database. */
const types: Record<string, string> = {
  String: 'string',
  Int: 'number',
  BigInt: 'number',
  Boolean: 'boolean',
  DateTime: 'Date',
  Bytes: 'Uint8Array',
};

/** Writes the source of a type with the fields of each table of a Prisma schema and their types. */
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

/** One line for each field that is a column; relations are left out. */
function columnsOf(model: string): string[] {
  return model.split('\n').flatMap((line) => {
    const [, field = '', kind = '', optional] = /^ {2}(\w+) +(\w+)(\?)?(?: |$)/.exec(line) ?? [];
    const type = types[kind];
    if (!type) return [];
    return [`    ${field}: ${type}${optional ? ' | null' : ''};`];
  });
}

/** How a column is stored, in either database. */
const kinds: Record<string, string> = {
  String: 'text',
  Int: 'number',
  BigInt: 'number',
  Boolean: 'flag',
  DateTime: 'moment',
  Bytes: 'bytes',
};

type Model = { model: string; table: string; body: string };

/** Columns, key, the table that each column refers to, and the tables that must be filled first. */
export function tablesOf(schema: string): string {
  const models = [...schema.matchAll(/^model (\w+) \{$([\s\S]*?)^\}$/gm)].map(
    ([, model = '', body = '']): Model => ({
      model,
      body,
      table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '',
    }),
  );
  const entries = models.map(
    (each) => `  ${each.table}: ${JSON.stringify(shapeOf(each, models))},`,
  );
  return `// Made from schema.prisma by lib/tooling/rows.ts.
export const tables = {\n${entries.join('\n')}\n} as const;\n`;
}

function shapeOf({ body }: Model, models: Model[]) {
  const columns: Record<string, string> = {};
  const columnOf: Record<string, string> = {};
  for (const line of body.split('\n')) {
    const [, field = '', type = ''] = /^ {2}(\w+) +(\w+)\??(?: |$)/.exec(line) ?? [];
    const kind = kinds[type];
    if (!kind) continue;
    const column = /@map\("(\w+)"\)/.exec(line)?.[1] ?? field;
    columns[column] = kind;
    columnOf[field] = column;
  }
  const whole = /@@id\(\[([^\]]+)\]\)/.exec(body)?.[1]?.split(/,\s*/);
  const single = /^ {2}(\w+) .*@id\b/m.exec(body)?.[1];
  const key = (whole ?? [single ?? '']).map((field) => columnOf[field] ?? field);
  const relations = [...body.matchAll(/^ {2}\w+ +(\w+)\?? +@relation\(fields: \[(\w+)\]/gm)];
  const parents = Object.fromEntries(
    relations.map(([, parent, field = '']) => [
      columnOf[field] ?? field,
      models.find(({ model }) => model === parent)?.table ?? '',
    ]),
  );
  return { columns, key, parents, after: [...new Set(Object.values(parents))] };
}
