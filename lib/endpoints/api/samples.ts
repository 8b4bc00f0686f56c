import { inCapitals, type Named, nameIn, resolved, type Schema } from './json-schema.ts';

/** A value for each property, or what the example of the call sent there. */
export function sampleAnswer(
  schema: Schema,
  named: Named,
  noun: string,
  sent: object = {},
): unknown {
  const sample = sampleOf(schema, named, '', inCapitals(noun)) as Record<string, unknown>;
  const properties = propertiesOf(schema, named);
  const taken = Object.entries(sent).filter(
    ([name, value]) => typeof value === typeof sample[name] && !properties[name]?.enum,
  );
  const same = taken.filter(([, value]) => typeof value !== 'object');
  return { ...sample, ...Object.fromEntries(same) };
}

/** The properties of an object, also of one that is composed of several. */
export function propertiesOf(schema: Schema, named: Named): Named {
  const { allOf = [], properties = {} } = resolved(schema, named) as {
    allOf?: Schema[];
    properties?: Named;
  };
  return Object.assign({}, ...allOf.map((part) => propertiesOf(part, named)), properties);
}

/** An example of a value that is known by this name, in a thing of this kind. */
function sampleOf(schema: Schema, named: Named, name: string, of: string): unknown {
  const kind = schema.$ref ? nameIn(schema) : of;
  const whole = resolved(schema, named) as Schema & { enum?: unknown[]; anyOf?: Schema[] };
  const known = valueNamed(name, kind);
  if ('const' in whole) return whole.const;
  if (whole.enum) return whole.enum.includes(known) ? known : whole.enum[0];
  const types = [whole.type ?? 'object'].flat();
  const mayBeNull = types.includes('null') || whole.anyOf?.some(({ type }) => type === 'null');
  if (mayBeNull && known === undefined) return null;
  if (Array.isArray(known)) return known;
  if (whole.anyOf) return sampleOf(whole.anyOf[0] ?? {}, named, name, kind);
  if (types.includes('array'))
    return [sampleOf(whole.items as Schema, named, singular(name), kind)];
  if (whole.format === 'date-time') return moment(name);
  if (!types.includes('object')) return known ?? usual[String(types[0])] ?? words(name);
  return Object.fromEntries(
    Object.entries(propertiesOf(whole, named))
      .filter(([, below]) => !below.deprecated)
      .map(([each, below]) => [each, sampleOf(below, named, each, kind)]),
  );
}

export const sampleParameter = (schema: Schema, name: string, noun: string): unknown =>
  sampleOf(schema, {}, name, inCapitals(noun));

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');

/** Things end later than they begin. */
const moment = (name: string) =>
  /expires|deletion|retired/.test(name) ? '2026-12-01T09:30:00.000Z' : '2026-11-01T09:30:00.000Z';

const words = (name: string) => name.replaceAll('_', ' ');
const usual: Record<string, unknown> = { boolean: false, integer: 0, number: 0 };

const id = '019a3f2c5d7800c1d2e3f4a5b6';
const valueNamed = (name: string, kind: string): unknown => {
  const known = values[`${kind}.${name}`] ?? values[name];
  return known === undefined && /^id$|[^e]_id$/.test(name) ? id : known;
};

/** What stands under these names, in things of some kinds or of all. */
const values: Record<string, unknown> = {
  'Api.name': 'Files',
  'ApiKey.name': 'Terraform',
  'ApiScope.description': 'Read your files',
  'ApiScope.name': 'files:read',
  'Client.name': 'Calendar',
  'Client.federated_credentials': [],
  'Client.networks': [],
  'Client.exchange_for': [],
  'ClientSummary.name': 'Calendar',
  'CountedGroup.description': 'They write the news',
  'CountedGroup.name': 'editors',
  'Directory.changed': ['ada'],
  'Directory.collisions': [],
  'Directory.disabled': [],
  'Directory.enabled': [],
  'Directory.name': 'Corp',
  'Field.name': 'department',
  'Field.scope': 'profile',
  'Group.description': 'They write the news',
  'Group.name': 'editors',
  'Grant.scope': 'openid profile',
  'Provider.name': 'Example',
  'Provider.value': 'staff',
  'RegistrationToken.name': 'Build server',
  'Scope.name': 'calendar',
  'Scope.description': 'See your appointments',
  'Setting.default': false,
  'Setting.effect': 'Clients must use PKCE',
  'Setting.name': 'REQUIRE_PKCE',
  'Setting.source': 'stored',
  'Setting.value': true,
  'WaitingApp.name': 'Weather',
  accent: '#0b6354',
  actor: 'key:Terraform',
  actor_name: 'key:Terraform',
  address: '203.0.113.7',
  alg: 'RS256',
  allowed_group: 'editors',
  allowed_user: 'ada',
  amr: 'pwd',
  asked_by: 'ada',
  behind: 'app',
  client: 'calendar',
  client_id: 'calendar',
  client_name: 'Calendar',
  client_secret: 'gh_cs_EXAMPLE',
  contact: 'ada',
  description: 'Appointments and rooms',
  done: 1,
  domain: 'example.org',
  email: 'ada@example.org',
  email_verified: true,
  enabled: true,
  error: 'invalid_request',
  expected: 'https://calendar.example.org/callback',
  failed: true,
  grant: 'authorization_code',
  group: 'editors',
  groups_claim: 'groups',
  home_page: 'https://calendar.example.org/',
  host: 'calendar.example.org',
  href: 'https://example.org/terms',
  identifier: 'https://files.example.org/',
  initiate_login_uri: 'https://calendar.example.org/login',
  invited_by: 'ada',
  issuer: 'https://accounts.example.org',
  jwks_uri: 'https://calendar.example.org/jwks.json',
  kid: '4f1c9a52',
  kind: 'google',
  label: 'Department',
  link: 'https://id.example.org/invitation#EXAMPLE',
  made_by: 'ada',
  mailed: true,
  may_sign_in: true,
  name: 'Ada Lovelace',
  network: '203.0.113.0/24',
  operation: 'sign-out',
  outcome: 'refused',
  password: 'EXAMPLE-PASSWORD',
  post_logout_redirect_uri: 'https://calendar.example.org/',
  provider_name: 'Example',
  received: 'https://calendar.example.org/cb',
  request_id: '467762e7-1dbe-4b0e-8c6d-1992cf30af59',
  reason: 'redirect-uri.unregistered',
  redirect_uri: 'https://calendar.example.org/callback',
  right: 'group:write',
  send_iss: true,
  shown_name: 'Calendar',
  role: 'none',
  scope: 'openid',
  slug: 'example',
  step: 'authorize',
  support_link: 'mailto:help@example.org',
  times: 1,
  total: 1,
  token: 'gh_rt_EXAMPLE',
  type: 'user.created',
  url: 'ldaps://ldap.example.org',
  user: id,
  user_agent: 'Mozilla/5.0',
  username: 'ada',
  value: 'https://calendar.example.org/cb',
};
