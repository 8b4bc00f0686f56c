import { z } from 'zod';
import {
  type ClientField,
  type ClientSettings,
  clientFieldNames,
  clientFields,
  type FieldKind,
} from '../../oauth/client.ts';
import { inJson } from '../told.ts';
import {
  federations,
  moment,
  momentOrNone,
  must,
  oneOf,
  onOff,
  onOffOrDefault,
  text,
  textOrNone,
  texts,
  textsByName,
  timeOrDefault,
} from '../values.ts';
import { clientManagement } from './client-fields.ts';

/** The shapes of each kind of field, and of single fields that differ from their kind. */
type Kinds = { [Kind in FieldKind]: z.ZodType } & { [Field in ClientField]?: z.ZodType };

/** A JWK Set (RFC 7517 section 5), as JSON or as its text. */
const jwksSaid = z.union(
  [z.record(z.string(), z.unknown()).transform((set) => JSON.stringify(set)), text, z.null()],
  must('takes.jwks'),
);

/** What can be set in each kind of field. */
export const kindsSaid: Kinds = {
  text,
  textOrNone,
  words: texts,
  wordsOrServer: z.union([texts, z.null()], must('takes.textsOrNone')),
  addresses: texts,
  jwks: jwksSaid,
  switch: onOff,
  switchOrServer: onOffOrDefault,
  secondsOrServer: timeOrDefault,
  secondsOrNone: timeOrDefault,
  pairs: textsByName,
  federations,
  choice: text,
};

const kindsTold: Kinds = {
  text,
  textOrNone,
  words: texts,
  wordsOrServer: texts.nullable(),
  addresses: texts,
  switch: z.boolean(),
  switchOrServer: z.boolean().nullable(),
  secondsOrServer: z.int().nullable(),
  secondsOrNone: z.int().nullable(),
  pairs: textsByName,
  federations: z.array(
    z.object({
      issuer: text,
      claims: textsByName,
      keys: textOrNone.meta({ description: 'where its keys are; null: where its metadata says' }),
      reusable: z.boolean(),
    }),
  ),
  choice: text,
};

export function clientShape(field: ClientField, kinds: Kinds): z.ZodType {
  const row = clientFields[field];
  const shape = row.kind === 'choice' ? oneOf(row.of) : (kinds[field] ?? kinds[row.kind]);
  return shape.meta({ description: descriptions[field] ?? describedByOption(field) });
}

/** The description of its option, without what is true of the command line only. */
function describedByOption(field: ClientField): string {
  const [[, says]] = clientManagement[field].options;
  const plain = says.replace(/; can be repeated|; the default|, or (?:none|default)\b.*/g, '');
  return plain + (ofNull[clientFields[field].kind] ?? '');
}

const ofNull: Partial<Record<FieldKind | 'choice', string>> = {
  switchOrServer: '; null: the server decides',
  secondsOrServer: ', in seconds; null: as the server says',
  secondsOrNone: ', in seconds; null: without a limit',
};

/** Fields whose options say it in words of the command line. */
const descriptions: { [Field in ClientField]?: string } = {
  type: 'confidential: it keeps a secret or a key; public: it cannot, as on a phone or in one page, and must use PKCE',
  scopes:
    'scopes it can request; null: all except sensitive ones. Tokens that carry another one end',
  oldIssuer:
    'the path of the issuer that it still uses for this server, such as /realms/acme; null once it uses the new one',
  access: 'everybody may use it, or only who is listed',
  groupsPrefix: 'send it only groups that begin with this; null: all',
  recipe: 'the recipe that it follows, which its page in the dashboard shows',
};

const ofEach = (make: (field: ClientField) => z.ZodType) =>
  Object.fromEntries(clientFieldNames.map((field) => [inJson(field), make(field)]));

/** Everything that can be set on an app. All of it is optional here; `create` requires the name. */
export const clientSaid = ofEach((field) => clientShape(field, kindsSaid).optional());

export const clientSummary = z
  .object({
    client_id: text,
    name: text,
    shown_name: text.meta({ description: 'for an app that registered itself: where it leads' }),
    type: z.enum(clientFields.type.of),
    description: textOrNone,
    first_party: z.boolean(),
    resource_server: z.boolean(),
    disabled: z.boolean(),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'ClientSummary' });

export const secretTimes = { created_at: moment, last_used_at: momentOrNone };

export const clientTold = z
  .object({
    client_id: text,
    shown_name: text,
    ...ofEach((field) => clientShape(field, kindsTold)),
    name: text,
    access: z.enum(clientFields.access.of),
    scopes: texts.nullable(),
    logo: textOrNone.meta({ description: 'its name; the picture is below /images' }),
    disabled: z.boolean(),
    secrets: z.array(z.object(secretTimes)),
    created_at: moment,
    updated_at: moment,
    contacts: texts.meta({ description: 'usernames of its developers' }),
    owner: textOrNone.meta({
      description: 'the username of the person responsible for it, if it is an agent',
    }),
    allowed_groups: texts.meta({ description: 'names of groups that it lists' }),
    allowed_users: texts.meta({ description: 'usernames of people on its list' }),
    allowed_user_ends: z
      .record(z.string(), moment)
      .meta({ description: 'by username: when the place on the list ends by itself' }),
  })
  .meta({ id: 'Client' });

/** The given fields under the names of the record, without those that were left out. */
export function changeSaid(said: Readonly<Record<string, unknown>>): Partial<ClientSettings> {
  const given = clientFieldNames.map((field) => [field, said[inJson(field)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The reverse of `changeSaid`: the input of an act. */
export const inJsonNames = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) =>
      value === undefined ? [] : [[inJson(field), value]],
    ),
  );
