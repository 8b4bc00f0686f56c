import { isCreation, levelOf } from '../endpoints/api/call.ts';
import { tellsPeople } from '../endpoints/api/caller.ts';
import { examples } from '../endpoints/api/examples.ts';
import { type Operation, operations } from '../endpoints/api/operations.ts';
import { type Schema, schemaOf, takenBy } from '../endpoints/api/taken.ts';
import { apiNouns, apiPath } from '../management/api-key/rights.ts';
import { pageOf, tableOf, written } from './markdown.ts';

/** The API pages: one for each noun, and an overview that links to them. */
export const apiPages = (): Record<string, string> => ({
  'docs/api/reference.md': contents(),
  ...Object.fromEntries(apiNouns.map((noun) => [`docs/api/${noun}.md`, nounPage(noun)])),
});

const ofNoun = (noun: string) => operations.filter((operation) => operation.noun === noun);

function contents(): string {
  return pageOf(
    '# API reference',
    written,
    `Every call of the [API](README.md). The same as a document for programs, OpenAPI 3.1: \`${apiPath}/openapi.json\`.`,
    ...apiNouns.map((noun) =>
      [
        `- [${noun}](${noun}.md)`,
        ...ofNoun(noun).map(
          ({ act, method, template }) => `  - \`${lineOf({ method, template })}\`: ${act.says}`,
        ),
      ].join('\n'),
    ),
  );
}

const lineOf = ({ method, template }: Pick<Operation, 'method' | 'template'>) =>
  `${method} ${apiPath}${template}`;

function nounPage(noun: string): string {
  return pageOf(
    `# API: ${noun}`,
    written,
    'What holds for every call, such as keys, problems and versions, is on [the page about the API](README.md).',
    ...ofNoun(noun).flatMap(callOf),
  );
}

function callOf(operation: Operation): string[] {
  const { act, method, noun } = operation;
  const fields = takenFields(operation);
  return [
    `## ${act.says.charAt(0).toUpperCase()}${act.says.slice(1)}`,
    `\`${lineOf(operation)}\`, with the right \`${noun}:${levelOf(method, act)}\`${besidesOf(operation)}.${furtherOf(operation)}`,
    ...(fields.length > 0 ? [tableOf(['Parameters', 'Where', 'Type', 'Meaning'], fields)] : []),
    tableOf(['Returns', 'Type'], toldFields(act.tells)),
    ...samplesOf(operation),
  ];
}

const besidesOf = ({ method, template }: Operation) =>
  tellsPeople.has(`${method} ${template}`)
    ? ' and `user:read`, because it tells who has an account'
    : '';

function furtherOf(operation: Operation): string {
  if (operation.method === 'GET') return '';
  if (operation.act.waits)
    return ' It waits for another machine, so it cannot be planned with `?plan=true`.';
  const once = isCreation(operation) ? ' `Idempotency-Key` makes it once.' : '';
  return `${once} \`?plan=true\` answers what it would change.`;
}

type Properties = Record<string, Schema>;

/** The maximum number of words that a cell lists. */
const mostWords = 20;

/** The type that a schema accepts, in a word or two. */
function kindOf(schema: Schema): string {
  const { type, anyOf, items, format } = schema as {
    type?: string | string[];
    anyOf?: Schema[];
    items?: Schema;
    format?: string;
    enum?: string[];
  };
  const words = (schema as { enum?: string[]; const?: unknown }).enum;
  if (words && words.length > mostWords)
    return `one of the ${words.length} in the OpenAPI document`;
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  if (Array.isArray(type)) return type.map((each) => kindOf({ type: each })).join(' or ');
  if (anyOf) return [...new Set(anyOf.map(kindOf))].filter(isForJson).join(' or ');
  if (format === 'date-time') return 'date-time';
  if (type === 'array') return `list of ${kindOf(items ?? {})}`;
  const known: Record<string, string> = {
    string: 'string',
    integer: 'integer',
    number: 'number',
    boolean: 'true or false',
    null: 'null',
    object: 'object',
  };
  return known[type ?? ''] ?? 'true';
}

/** Leaves out the strings `true` and `false`, which only a query takes: JSON has booleans. */
const isForJson = (kind: string) => kind !== '`true`, `false`';

function takenFields(operation: Operation): string[][] {
  const { parameters, body } = takenBy(operation);
  const inBody = body?.content['application/json'].schema as
    | { properties: Properties; required?: string[] }
    | undefined;
  const row = (name: string, place: string, schema: Schema, required: boolean) => [
    ...[`\`${name}\`${required ? '' : ' (optional)'}`, place, kindOf(schema)],
    String(schema.description ?? ''),
  ];
  return [
    ...parameters.map(({ name, in: place, schema, description, required }) =>
      row(name, place === 'path' ? 'address' : 'query', { ...schema, description }, required),
    ),
    ...Object.entries(inBody?.properties ?? {}).map(([name, schema]) =>
      row(name, 'body', schema, inBody?.required?.includes(name) ?? false),
    ),
  ];
}

function toldFields(tells: Operation['act']['tells']): string[][] {
  const { properties = {} } = schemaOf(tells, 'output') as { properties?: Properties };
  return Object.entries(properties).map(([name, schema]) => {
    const below = (schema.items as { properties?: Properties } | undefined)?.properties;
    const each = below
      ? `, each with ${Object.keys(below)
          .map((field) => `\`${field}\``)
          .join(', ')}`
      : '';
    return [`\`${name}\``, kindOf(schema) + each];
  });
}

const issuer = 'https://id.example.org';
/** Nouns whose samples are sent by a test. */
const sent = ['client', 'group', 'user'];
const sentBy = '<!-- run by tests/endpoints/api-samples.test.ts -->';
const notRun = '<!-- not run here: it needs a key, and what it names -->';

/** Samples of the call with curl and with fetch. */
function samplesOf(operation: Operation): string[] {
  const { method, noun, template } = operation;
  const mark = sent.includes(noun) ? sentBy : notRun;
  const address = `${issuer}${apiPath}${template.replace(/\{(\w+)\}/g, (_, name) => String(name).toUpperCase())}`;
  const body = examples[operation.id];
  const json = body && JSON.stringify(body);
  const curl = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}-H "Authorization: Bearer $KEY" \\`,
    ...(json ? [`  -H "Content-Type: application/json" -d '${json}' \\`] : []),
    `  ${address}`,
  ];
  const fetched = [
    `const response = await fetch('${address}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    json
      ? `  headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' },`
      : "  headers: { Authorization: 'Bearer ' + key },",
    ...(json ? [`  body: JSON.stringify(${json}),`] : []),
    '});',
    'const told = await response.json();',
  ];
  return [
    `${mark}\n\`\`\`sh curl\n${curl.join('\n')}\n\`\`\``,
    `${mark}\n\`\`\`js fetch\n${fetched.join('\n')}\n\`\`\``,
  ];
}
