import { isCreation, levelOf } from '../endpoints/api/call.ts';
import { tellsPeople } from '../endpoints/api/caller.ts';
import { type Named, nameIn, resolved, type Schema } from '../endpoints/api/json-schema.ts';
import { answerOf, nameAnswers } from '../endpoints/api/named-answers.ts';
import { type Operation, operations } from '../endpoints/api/operations.ts';
import { propertiesOf } from '../endpoints/api/samples.ts';
import { takenBy } from '../endpoints/api/taken.ts';
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
  const answer = answerOf(operation, named());
  return [
    `## ${titleOf(operation)}`,
    `\`${lineOf(operation)}\`, with the right \`${noun}:${levelOf(method, act)}\`${besidesOf(operation)}.${furtherOf(operation)}`,
    ...(fields.length > 0 ? [tableOf(['Parameters', 'Where', 'Type', 'Meaning'], fields)] : []),
    tableOf(['Returns', 'Type'], toldFields(answer.schema)),
    ...samplesOf(operation),
    answerShown(operation, answer),
  ];
}

const titleOf = ({ act }: Operation) => act.says.charAt(0).toUpperCase() + act.says.slice(1);

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
function kindOf(said: Schema): string {
  const schema = resolved(said, named());
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
  if (anyOf) return [...new Set(anyOf.map(kindOf))].join(' or ');
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

function takenFields(operation: Operation): string[][] {
  const { parameters, body } = takenBy(operation);
  const inBody = body?.content['application/json'].schema as
    | { properties: Properties; required?: string[] }
    | undefined;
  const row = (name: string, place: string, schema: Schema, required: boolean) => [
    `\`${name}\`${required ? '' : ' (optional)'}`,
    place,
    kindOf(schema),
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

function toldFields(answer: Schema): string[][] {
  return Object.entries(propertiesOf(answer, named())).map(([name, schema]) => {
    if (schema.deprecated) return [`\`${name}\``, `${schema.description}, for older clients`];
    const below = propertiesOf((schema.items ?? {}) as Schema, named());
    const fields = Object.keys(below).map((field) => `\`${field}\``);
    const each = fields.length > 0 ? `, each with ${fields.join(', ')}` : '';
    return [`\`${name}\``, kindOf(schema) + each];
  });
}

let schemas: Named | null = null;

/** The schemas that answers refer to. */
function named(): Named {
  if (schemas) return schemas;
  schemas = {};
  nameAnswers(schemas);
  return schemas;
}

/** The example of an answer, once on a page for each thing that is answered. */
function answerShown(
  operation: Operation,
  { schema, example }: ReturnType<typeof answerOf>,
): string {
  const [first = operation] = ofNoun(operation.noun).filter(
    (each) => thingIn(answerOf(each, named()).schema) === thingIn(schema),
  );
  if (first !== operation) return `It answers as *${titleOf(first)}* does.`;
  return `${shown}\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

/** The name of an answer, or of what it is composed of. */
function thingIn(schema: Schema): string {
  const { allOf: [base] = [] } = resolved(schema, named()) as { allOf?: Schema[] };
  return nameIn(base ?? schema);
}

const issuer = 'https://id.example.org';
/** Nouns whose samples are sent by a test. */
const sent = ['client', 'group', 'user'];
const sentBy = '<!-- run by tests/endpoints/api-samples.test.ts -->';
const shown = '<!-- not run here: an answer -->';
const notRun = '<!-- not run here: it needs a key, and what it names -->';

/** Samples of the call with curl and with fetch. */
function samplesOf(operation: Operation): string[] {
  const { method, noun, template } = operation;
  const mark = sent.includes(noun) ? sentBy : notRun;
  const address = `${issuer}${apiPath}${template.replace(/\{(\w+)\}/g, (_, name) => String(name).toUpperCase())}`;
  const body = operation.act.example;
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
