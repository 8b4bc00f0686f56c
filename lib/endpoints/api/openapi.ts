import { config, gatehouseVersion } from '../../config.ts';
import { json } from '../../http/answers.ts';
import type { HttpResponse } from '../../http/message.ts';
import { type ProblemStatus, problems } from '../../http/problem.ts';
import { apiPath } from '../../management/api-key/rights.ts';
import { isCreation, levelOf } from './call.ts';
import { inCapitals, type Named, refTo, type Schema } from './json-schema.ts';
import { limitHeaders } from './limits.ts';
import { answerOf, nameAnswers } from './named-answers.ts';
import { type Operation, operations } from './operations.ts';
import { routes } from './routes.ts';
import { planParameter } from './said.ts';
import { sampleAnswer } from './samples.ts';
import { planSchema, problemSchema } from './schemas.ts';
import { takenBy } from './taken.ts';

/** The description of the API, made from its routes and its acts' inputs and outputs. */
export async function serveOpenApi(): Promise<HttpResponse> {
  return json(200, openApi());
}

function openApi(): Schema {
  const named: Named = { Problem: problemSchema, Plan: planSchema };
  nameAnswers(named);
  const paths: Record<string, Schema> = {};
  for (const operation of operations) {
    const { template, method } = operation;
    paths[template] = { ...paths[template], [method.toLowerCase()]: describedAs(operation, named) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse API', version: gatehouseVersion(), description: about },
    servers: [{ url: config().issuer + apiPath }],
    security: [{ bearer: [] }],
    tags: Object.keys(routes).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: bearer } },
      schemas: named,
      headers: limitHeaders,
      responses: Object.fromEntries(
        Object.entries(problems).map((problem) => describeProblem(problem, named)),
      ),
    },
  };
}

const about =
  'Everything that admins can do. An action for which the dashboard asks for a fresh sign-in needs the right `loosen` of its noun.';
const bearer =
  'A key (`gh_ak_…`), or an access token whose only audience is this API (its address, without a slash at the end). One that is bound to a key is sent as `DPoP`, with a proof (RFC 9449).';

function describedAs(operation: Operation, named: Named): Schema {
  const { noun, method, act, id } = operation;
  const right = `${noun}:${levelOf(method, act)}`;
  const { parameters, body } = takenBy(operation, named);
  return {
    operationId: id,
    tags: [noun],
    summary: sentence(act.says),
    description: `Needs the right \`${right}\`.`,
    parameters: [...parameters, ...furtherParameters(operation)],
    ...(body ? { requestBody: withNamedSchema(body, `${inCapitals(id)}Input`, named) } : {}),
    responses: responsesOf(operation, named),
  };
}

const sentence = (says: string) => `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;

function furtherParameters(operation: Operation): Schema[] {
  const { method } = operation;
  const header = (name: string, pattern: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', pattern },
  });
  if (method === 'GET') return [];
  const plan = {
    name: planParameter,
    in: 'query',
    required: false,
    schema: { type: 'boolean' },
    description: 'Returns what would change, and changes nothing.',
  };
  if (operation.act.waits) return [];
  if (isCreation(operation))
    return [
      plan,
      header(
        'Idempotency-Key',
        '^[!-~]{1,255}$',
        'A second call with the same key within a day creates nothing.',
      ),
    ];
  return isVersioned(operation)
    ? [
        plan,
        header(
          'If-Match',
          '^"[!-~]+"$',
          'Makes the change only if the current version has this ETag.',
        ),
      ]
    : [plan];
}

const isVersioned = ({ noun, template, method }: Operation) =>
  method !== 'POST' && routes[noun][template as `/${string}`]?.GET?.version !== undefined;

/** All bodies that take nothing have one name. */
function withNamedSchema(body: Body, ownName: string, named: Named): Schema {
  const { schema, ...rest } = body.content['application/json'];
  const name = Object.keys(schema.properties).length > 0 ? ownName : 'Nothing';
  named[name] = schema;
  return { ...body, content: { 'application/json': { schema: refTo(name), ...rest } } };
}

type Body = NonNullable<ReturnType<typeof takenBy>['body']>;

function responsesOf(operation: Operation, named: Named): Record<string, Schema> {
  const { act, method } = operation;
  const isMade = isCreation(operation);
  const answer = answerOf(operation, named);
  const told = answeredAs(isMade ? 'It was made.' : 'Done.', answer);
  const plan = answeredAs('What would change.', { schema: refTo('Plan') });
  const either = { ...answer, schema: { anyOf: [answer.schema, refTo('Plan')] } };
  const done = answeredAs('Done; or what would change.', either);
  const good = method === 'GET' ? { 200: told } : isMade ? { 200: plan, 201: told } : { 200: done };
  const fresh =
    method === 'GET' && act.version
      ? { 304: { description: 'Not changed since that version.' } }
      : {};
  const refused = problemsOf(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  return { ...good, ...fresh, ...Object.fromEntries(refused) };
}

const headers = Object.fromEntries(
  Object.keys(limitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const answeredAs = (description: string, content: Schema): Schema => ({
  description,
  headers,
  content: { 'application/json': content },
});

function problemsOf(operation: Operation): ProblemStatus[] {
  const { method, template } = operation;
  const always: ProblemStatus[] = [400, 401, 403, 406, 422, 429, 500, 503];
  const one: ProblemStatus[] = template.includes('{') ? [404] : [];
  const change: ProblemStatus[] = method === 'GET' ? [] : [409];
  const versioned: ProblemStatus[] = method !== 'GET' && isVersioned(operation) ? [412] : [];
  const body: ProblemStatus[] = ['GET', 'DELETE'].includes(method) ? [] : [408, 413, 415];
  return [...always, ...one, ...change, ...versioned, ...body].toSorted((a, b) => a - b);
}

function describeProblem([status, title]: [string, string], named: Named): [string, Schema] {
  const sample = sampleAnswer(problemSchema, named, 'problem') as { errors: unknown };
  const { errors, ...rest } = sample;
  const type = `${config().issuer}/docs/api/problems#${status}`;
  const said = { ...rest, type, title, status: Number(status), detail: `${title}.` };
  const example = status === '422' ? { ...said, errors } : said;
  const content = { 'application/problem+json': { schema: refTo('Problem'), example } };
  return [status, { description: title, headers, content }];
}
