import { gzipSync } from 'node:zlib';

/** A request of a program, before it is sent. Rows change it. */
export type Sent = {
  params: Record<string, string>;
  /** What follows `?`. */
  query: string;
  /** The client's id and secret, as the program joins them in Basic; null: both are in the body. */
  basic: ((id: string, secret: string) => string) | null;
  body: (params: Record<string, string>) => {
    type: string;
    text: string | Uint8Array<ArrayBuffer>;
  };
  headers: Record<string, string>;
};

export const form = (params: Record<string, string>) => ({
  type: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(params).toString(),
});
const encoded = (id: string, secret: string) =>
  `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
export const plain: Sent = { params: {}, query: '', basic: encoded, body: form, headers: {} };

type Outcome = 'taken' | { error: string; rule: string; says?: string };
export type Row = {
  what: string;
  /** The program or standard that it is from. */
  from: string;
  sends: (sent: Sent) => Partial<Sent>;
  /** In profile `interface`, and where they differ, in the others. */
  answer: Outcome;
  strictly?: Outcome;
  /** What the attempt notes. */
  noted?: string;
  /** The door that has a rule of its own. */
  not?: string;
  /** Only for requests with this parameter. */
  needs?: string;
};

const withParams = (more: Record<string, string>) => (sent: Sent) => ({
  params: { ...sent.params, ...more },
});
const withScope = (change: (scope: string) => string) => (sent: Sent) =>
  withParams({ scope: change(sent.params.scope ?? '') })(sent);
const withForm = (change: (text: string) => string) => () => ({
  body: (params: Record<string, string>) => ({ ...form(params), text: change(form(params).text) }),
});
const withType = (type: string) => () => ({
  body: (params: Sent['params']) => ({ ...form(params), type }),
});
const json = (more: Record<string, unknown>) => () => ({
  body: (params: Sent['params']) => ({
    type: 'application/json; charset=utf-8',
    text: JSON.stringify({ ...params, ...more }),
  }),
});

const folded = {
  needs: 'scope',
  answer: 'taken',
  noted: 'scope.folded',
  strictly: { error: 'invalid_scope', rule: 'scope.malformed' },
} as const;
const ignored = { answer: 'taken', noted: 'parameter.ignored' } as const;
const refusedInUrl = { answer: { error: 'invalid_request', rule: 'parameter.in-query' } } as const;
const twice = { answer: { error: 'invalid_request', rule: 'parameter.repeated' } } as const;

/** What clients send to the endpoints that take a form from a program. */
export const rows: readonly Row[] = [
  { what: 'a form, Basic encoded', from: 'RFC 6749 2.3.1', sends: () => ({}), answer: 'taken' },

  // Unknown parameters (RFC 6749 3.2).
  {
    what: 'client-request-id in the URL',
    from: '@azure/msal-browser 5, @azure/msal-node 7',
    sends: () => ({ query: 'client-request-id=0192f0a5-7c1e-7d1a-b2c3-000000000001' }),
    ...ignored,
  },
  {
    what: 'client-request-id in the URL and in the body',
    from: '@azure/msal-common 4',
    sends: (sent) => ({
      query: 'client-request-id=a',
      ...withParams({ 'client-request-id': 'a' })(sent),
    }),
    ...ignored,
  },
  {
    what: 'x-client-SKU and its siblings, client_info',
    from: '@azure/msal-common',
    sends: withParams({ 'x-client-SKU': 'msal.js.node', 'x-client-VER': '7.2', client_info: '1' }),
    ...ignored,
  },
  {
    what: 'telemetry with bars, commas and blanks as they are',
    from: 'recorded requests of @azure/msal-node 1.5 in azure-sdk-for-js',
    sends: withForm(
      (text) =>
        `${text}&x-ms-lib-capability=retry-after, h429&x-client-current-telemetry=5|771,2,,,|,`,
    ),
    ...ignored,
  },
  {
    what: 'an unknown name in the URL without a value, and one twice',
    from: 'cache busters of jQuery and proxies',
    sends: () => ({ query: '1764345600&_=1&_=2' }),
    ...ignored,
  },
  {
    what: 'api-version and slice in the URL',
    from: 'Azure AD: dc=…, slice=…, api-version=1.0',
    sends: () => ({ query: 'api-version=1.0&slice=testslice' }),
    ...ignored,
  },
  {
    what: 'a bare ? and &',
    from: 'URL builders',
    sends: () => ({ query: '&' }),
    answer: 'taken',
  },
  {
    what: 'client_secret in the URL',
    from: 'curl examples of older servers',
    not: 'refresh', // ACCEPT_REFRESH_PARAMS_IN_QUERY
    sends: () => ({ query: 'client_secret=x' }),
    ...refusedInUrl,
  },
  {
    what: 'a code in the URL, at endpoints without one as well',
    from: 'Slack’s first samples',
    not: 'refresh',
    sends: ({ params }) =>
      params.code ? { params: {}, query: form(params).text } : { query: 'code=x' },
    ...refusedInUrl,
  },
  {
    what: 'client_id in the body and in the URL',
    from: 'RFC 6749 3.2: not more than once',
    sends: (sent) => ({ ...withParams({ client_id: 'x' })(sent), query: 'client_id=x' }),
    ...twice,
  },

  // Secrets in Basic.
  {
    what: 'Basic as written',
    from: 'curl -u; axios auth; Go’s SetBasicAuth',
    sends: () => ({ basic: (id, secret) => `${id}:${secret}` }),
    answer: 'taken',
    noted: 'client-auth.not-encoded',
    strictly: { error: 'invalid_client', rule: 'client-auth.malformed' },
  },
  {
    what: 'Basic with blanks as +',
    from: 'java.net.URLEncoder, Python’s quote_plus',
    sends: () => ({
      basic: (id, secret) => new URLSearchParams({ '': secret }).toString().replace(/^=/, `${id}:`),
    }),
    answer: 'taken',
  },
  {
    what: 'both in the body',
    from: 'RFC 6749 2.3.1',
    sends: () => ({ basic: null }),
    answer: 'taken',
  },
  {
    what: 'a wrong secret, as written',
    from: 'a typing error',
    sends: () => ({ basic: (id) => `${id}:50%+off` }),
    answer: { error: 'invalid_client', rule: 'client-auth.malformed' },
  },
  {
    what: 'the secret with a line break at its end',
    from: 'Kubernetes secrets made with echo',
    sends: () => ({ basic: (id, secret) => encoded(id, `${secret}\n`) }),
    answer: { error: 'invalid_client', rule: 'client-auth.wrong-secret' },
  },

  // Blanks in scope.
  { what: 'a blank after', from: 'cryptpad/sso 19', sends: withScope((s) => `${s} `), ...folded },
  { what: 'a blank before', from: 'joined lists', sends: withScope((s) => ` ${s}`), ...folded },
  {
    what: 'two blanks between, one of them for an empty name',
    from: 'oauth2-proxy --scope, string templates',
    sends: withScope((s) => s.replace(' ', '  ')),
    ...folded,
  },
  {
    what: 'line breaks and a tab',
    from: 'YAML block texts of Helm charts',
    sends: withScope((s) => `${s.replace(' ', '\n\t')}\n`),
    ...folded,
  },
  {
    what: 'a name twice',
    from: 'Grafana’s default scopes with those of an admin',
    sends: withScope((s) => `${s} ${s}`),
    needs: 'scope',
    answer: 'taken',
  },

  ...[',', ';', '+', '%20'].map(
    (sign): Row => ({
      what: `scopes joined with ${sign}`,
      from: 'Laravel Socialite, Linear; blanks that were encoded twice',
      sends: withScope((s) => s.replaceAll(' ', sign)),
      needs: 'scope',
      not: 'refresh', // It may only narrow what was given.
      answer: {
        error: 'invalid_scope',
        rule: 'scope.unknown',
        says: 'Separate scopes with blanks',
      },
    }),
  ),

  // Other headers.
  ...['', 'Bearer undefined', 'Negotiate YII=', 'NTLM TlRM'].map(
    (Authorization): Row => ({
      what: `Authorization: ${Authorization} beside a secret in the body`,
      from: 'interceptors of axios; Internet Explorer, as Keycloak met it',
      sends: () => ({ basic: null, headers: { Authorization } }),
      ...ignored,
    }),
  ),
  {
    what: 'a compressed body',
    from: 'request interceptors of OkHttp',
    sends: () => ({
      headers: { 'Content-Encoding': 'gzip' },
      body: (params) => ({ ...form(params), text: gzipSync(form(params).text) }),
    }),
    answer: { error: 'invalid_request', rule: 'content-type', says: 'compressed' },
  },

  // Values.
  {
    what: 'JSON that is called a form',
    from: "curl -d '{…}'",
    sends: () => ({ body: (params) => ({ ...form(params), text: JSON.stringify(params) }) }),
    answer: { error: 'invalid_request', rule: 'content-type', says: 'The body is JSON' },
  },
  {
    what: 'multipart',
    from: 'curl -F, Postman’s form-data, PHP’s curl with an array',
    sends: () => ({
      body: (params) => ({
        type: 'multipart/form-data; boundary="x y"',
        text: `${Object.entries(params)
          .map(
            ([name, value]) =>
              `--x y\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
          )
          .join('')}--x y--\r\n`,
      }),
    }),
    answer: 'taken',
    strictly: { error: 'invalid_request', rule: 'content-type' },
  },
  {
    what: 'a list that nobody reads, as PHP writes it',
    from: 'http_build_query',
    sends: withForm((text) => `${text}&extra[]=1&extra[]=2`),
    ...ignored,
  },
  {
    what: 'empty values',
    from: 'RFC 6749 3.2: treated as omitted',
    sends: withParams({ resource: '', code_verifier: '', state: '', client_secret: '' }),
    answer: 'taken',
  },
  {
    what: 'a line break after the body',
    from: 'curl --data-binary @file',
    sends: withForm((text) => `${text}\r\n`),
    answer: 'taken',
  },
  {
    what: 'a & at both ends',
    from: 'hand-made forms',
    sends: withForm((text) => `&${text}&`),
    answer: 'taken',
  },
  {
    what: 'a charset after the content type',
    from: 'Apache HttpClient, .NET',
    sends: withType('application/x-www-form-urlencoded; charset=ISO-8859-1'),
    answer: 'taken',
  },
  {
    what: 'capitals and no blank in the content type',
    from: 'older Java and PHP clients',
    sends: withType('Application/X-WWW-Form-Urlencoded;charset=UTF-8'),
    answer: 'taken',
  },
  { what: 'JSON', from: 'axios without a form, n8n', sends: json({}), answer: 'taken' },
  {
    what: 'JSON with nulls',
    from: 'serializers of C# and Go',
    sends: json({ resource: null, code_verifier: null, 'x-app': null }),
    answer: 'taken',
  },
  {
    what: 'JSON with a number',
    from: 'hand-made clients',
    sends: json({ client_id: 7 }),
    answer: { error: 'invalid_request', rule: 'request.malformed' },
  },
  {
    what: 'a form named as text',
    from: 'fetch with a string body',
    sends: withType('text/plain;charset=UTF-8'),
    answer: { error: 'invalid_request', rule: 'content-type' },
  },
  {
    what: 'grant_type with capitals',
    from: 'RFC 6749 1: values are case sensitive',
    needs: 'grant_type',
    sends: (sent) => withParams({ grant_type: (sent.params.grant_type ?? '').toUpperCase() })(sent),
    answer: { error: 'unsupported_grant_type', rule: 'grant-type.unknown' },
  },
];
