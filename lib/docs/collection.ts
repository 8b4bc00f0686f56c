import { config, gatehouseVersion } from '../config.ts';
import { type Operation, operations } from '../endpoints/api/operations.ts';
import { takenBy } from '../endpoints/api/taken.ts';
import { apiPath } from '../management/api-key/rights.ts';

/** The parts of a Postman collection (format 2.1) that are used here. */
type Request = {
  method: string;
  url: { raw: string; host: string[]; path: string[]; query?: Pair[]; variable?: Pair[] };
  header?: Pair[];
  auth?: Record<string, unknown>;
  body?: Record<string, unknown>;
  description?: string;
};
type Pair = { key: string; value: string; disabled?: boolean };
type Item = { name: string; request: Request };
type Folder = { name: string; item: (Item | Folder)[]; auth?: Record<string, unknown> };

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Variables that the user fills in after importing the collection; the issuer is already this
 * server.
 */
const variables = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'state',
  'code',
  'code_verifier',
  'code_challenge',
  'access_token',
  'refresh_token',
  'id_token',
  'device_code',
  'key',
];

/**
 * Builds a collection of every protocol endpoint and every API call, for Postman, Bruno and other
 * programs that read the format.
 */
export function collection(): Record<string, unknown> {
  return {
    info: {
      name: 'Gatehouse',
      description: `Version ${gatehouseVersion()}. Fill in the variables; secrets belong in an environment of your own.`,
      schema,
    },
    item: [protocol(), api()],
    variable: [
      { key: 'issuer', value: config().issuer },
      ...variables.map((key) => ({ key, value: '' })),
    ],
  };
}

const asClient = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{client_id}}', type: 'string' },
    { key: 'password', value: '{{client_secret}}', type: 'string' },
  ],
};
const withToken = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
});
const noAuth = { type: 'noauth' };

function protocol(): Folder {
  const token = (name: string, fields: Record<string, string>) =>
    posted(name, '/oauth/token', fields);
  return {
    name: 'Protocol',
    item: [
      got('OpenID Connect metadata', '/.well-known/openid-configuration'),
      got('OAuth metadata', '/.well-known/oauth-authorization-server'),
      got('Signing keys', '/oauth/jwks'),
      got('Authorization request (open it in a browser)', '/oauth/authorize', {
        response_type: 'code',
        client_id: '{{client_id}}',
        redirect_uri: '{{redirect_uri}}',
        scope: 'openid profile email',
        state: '{{state}}',
        code_challenge: '{{code_challenge}}',
        code_challenge_method: 'S256',
      }),
      token('Redeem a code', {
        grant_type: 'authorization_code',
        code: '{{code}}',
        redirect_uri: '{{redirect_uri}}',
        code_verifier: '{{code_verifier}}',
      }),
      token('Refresh', { grant_type: 'refresh_token', refresh_token: '{{refresh_token}}' }),
      token('Client credentials', { grant_type: 'client_credentials' }),
      posted('Start a device', '/oauth/device_authorization', { scope: 'openid' }),
      token('Ask for a device', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: '{{device_code}}',
      }),
      got('User information', '/oauth/me', {}, withToken('access_token')),
      posted('Introspect', '/oauth/introspect', { token: '{{access_token}}' }),
      posted('Revoke', '/oauth/revoke', { token: '{{refresh_token}}' }),
      got('Sign out (open it in a browser)', '/oauth/logout', { id_token_hint: '{{id_token}}' }),
    ],
  };
}

function got(
  name: string,
  path: string,
  query: Record<string, string> = {},
  auth: Record<string, unknown> = noAuth,
): Item {
  return { name, request: { method: 'GET', auth, url: addressOf(path, pairs(query)) } };
}

function posted(name: string, path: string, fields: Record<string, string>): Item {
  const body = { mode: 'urlencoded', urlencoded: pairs(fields) };
  return { name, request: { method: 'POST', auth: asClient, url: addressOf(path), body } };
}

const pairs = (values: Record<string, string>): Pair[] =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** An address of this server. `{id}` in it is a path variable, which the format writes as `:id`. */
function addressOf(template: string, query: Pair[] = []): Request['url'] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = template.replace(/\{(\w+)\}/g, ':$1');
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{issuer}}${path}${search && `?${search}`}`,
    host: ['{{issuer}}'],
    path: path.split('/').filter(Boolean),
    ...(query.length > 0 && { query }),
    ...(names.length > 0 && { variable: names.map((key) => ({ key, value: '' })) }),
  };
}

function api(): Folder {
  const nouns = [...new Set(operations.map(({ noun }) => noun))];
  const item = nouns.map((name) => ({
    name,
    item: operations.filter(({ noun }) => noun === name).map(callOf),
  }));
  return { name: 'API', auth: withToken('key'), item };
}

function callOf(operation: Operation): Item {
  const { act, method, template } = operation;
  const query = takenBy(operation).parameters.filter((parameter) => parameter.in === 'query');
  // Filters are disabled; users tick the ones they want.
  const filters = query.map(({ name }) => ({ key: name, value: '', disabled: true }));
  const body = operation.act.example;
  return {
    name: `${act.says.charAt(0).toUpperCase()}${act.says.slice(1)}`,
    request: {
      method,
      url: addressOf(apiPath + template, filters),
      ...(body && {
        header: [{ key: 'Content-Type', value: 'application/json' }],
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  };
}
