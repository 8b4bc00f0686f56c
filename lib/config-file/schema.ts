import { z } from 'zod';
import { providerKinds } from '../identity/upstream/provider-kinds.ts';
import { apiFields } from '../management/api/fields.ts';
import { brandFields } from '../management/branding/fields.ts';
import { clientShape, kindsSaid } from '../management/client/fields.ts';
import type { FieldField } from '../management/field/fields.ts';
import { groupFields } from '../management/group/fields.ts';
import { type ProviderField, providerFields } from '../management/provider/fields.ts';
import { scopeFields } from '../management/scope/fields.ts';
import { termsFields } from '../management/terms/fields.ts';
import { inJson } from '../management/told.ts';
import {
  endOrNever,
  mapOf,
  must,
  oneOf,
  onOff,
  settingValue,
  strictMap,
  text,
  texts,
  textsByName,
} from '../management/values.ts';
import { type ClientField, clientFieldNames } from '../oauth/client.ts';
import { fieldEditors, fieldTypes } from '../people/user-field.ts';
import { settingKeys, settingTable } from '../settings/table.ts';

/** A field's name in the file: `requirePkce` is `require_pkce`. */
export const inFile = inJson;

const about = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description }) as Schema;

const settings = strictMap(
  Object.fromEntries(
    settingKeys
      .filter((key) => !settingTable[key].operatorOnly)
      .map((key) => {
        const { name, effect, takes } = settingTable[key];
        return [name, about(settingValue, `${effect} Takes ${takes.english}.`).optional()];
      }),
  ),
);

const words = {
  description: about(text, 'What an app can do with it; people read this on the consent page.'),
  descriptions: about(textsByName.optional(), 'The description by language, such as de.'),
};

const scope = strictMap({
  ...scopeFields,
  description: about(
    text.optional(),
    'What an app can do with it; people read this on the consent page. Built-in scopes have their own words.',
  ),
});

const ofGroup = z.object(groupFields).omit({ name: true }).shape;
const group = z.union(
  [z.null(), strictMap(ofGroup)],
  `takes ${Object.keys(ofGroup).join(', ')}, or nothing`,
);

const field = strictMap({
  label: about(text, 'What people read.'),
  type: oneOf(fieldTypes).optional(),
  editor: about(oneOf(fieldEditors).optional(), 'Who may change it besides admins.'),
  scope: about(text, 'Apps that are allowed this scope get the value.'),
} satisfies Record<FieldField, z.ZodType>);

/** Anything that is not the name of a variable may be the secret itself. */
const variable = text.regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);

const secretSource = z.union(
  [strictMap({ env: variable }), strictMap({ file: text }), strictMap({ hash: text })],
  'takes {env: NAME}, {file: PATH} or {hash: SHA-256 in base64url}: the secret itself never goes in this file',
);
export type SecretSource = z.output<typeof secretSource>;

/** The file never needs null, because it can leave the field out. */
const kinds = { ...kindsSaid, wordsOrServer: texts };

function clientField(name: ClientField): z.ZodType {
  const shape = clientShape(name, kinds);
  return name === 'name' ? shape : shape.optional();
}

const app = strictMap({
  ...Object.fromEntries(clientFieldNames.map((name) => [inFile(name), clientField(name)])),
  secret: about(
    z
      .union([secretSource, z.array(secretSource).min(1).max(5)], {
        error: (issue) => (Array.isArray(issue.input) ? 'takes one to five sources' : secretTakes),
      })
      .optional(),
    'Where its secret comes from; several while one replaces another.',
  ),
  allow_insecure_redirect_uri: about(
    onOff.optional(),
    'Accepts plain http addresses outside of this device.',
  ),
  allowed_groups: about(texts.optional(), 'Groups that may use it; access is listed then.'),
  allowed_users: about(texts.optional(), 'People who may use it, by username or email address.'),
  allowed_user_ends: about(
    z.record(z.string(), endOrNever).optional(),
    'When some of them are taken off its list: the name as in allowed_users, and a day or a moment.',
  ),
  owner: about(
    text.optional(),
    'The person responsible for an agent, by username or email address.',
  ),
  logo: about(text.optional(), 'A PNG, JPEG, WebP or GIF file beside this one; none removes it.'),
});
const secretTakes =
  'takes {env: NAME}, {file: PATH} or {hash: SHA-256 in base64url}: the secret itself never goes in this file';

const api = strictMap({
  ...apiFields,
  scopes: mapOf(strictMap(words)).optional(),
  asked_by: about(texts.optional(), 'client_ids that may ask while access is listed.'),
  served_by: about(texts.optional(), 'client_ids that are the API and may introspect its tokens.'),
});

const { groups: _mapped, ...ofProvider } = providerFields;
const provider = strictMap({
  kind: oneOf(providerKinds),
  ...ofProvider,
  enabled: onOff.optional(),
  may_sign_in: about(onOff.optional(), 'People who linked it can sign in with it.'),
  may_register: about(onOff.optional(), 'New people can create an account with it.'),
  trusts_second_factor: about(
    onOff.optional(),
    'If it says that it asked for a second factor, none is asked for here.',
  ),
  accepts_assertions: about(
    onOff.optional(),
    'Its identity assertions give apps here tokens of people who linked it.',
  ),
  matches_addresses: about(
    onOff.optional(),
    'Also of people whose address both it and this server have verified.',
  ),
  groups: about(
    z
      .record(z.string(), z.union([text, texts], must('takes.text')), must('takes.names'))
      .optional(),
    'People with this value in the claim are in this group, or these groups.',
  ),
  secret: about(
    z
      .union([strictMap({ env: variable }), strictMap({ file: text })], {
        error: 'takes {env: NAME} or {file: PATH}: the secret itself never goes in this file',
      })
      .optional(),
    'Where its client secret, or Apple’s private key, comes from.',
  ),
} satisfies Record<ProviderField | 'kind' | 'secret', z.ZodType>);

const branding = strictMap({
  ...z.object(brandFields).partial().shape,
  footer_links: z.array(strictMap({ label: text, href: text }), must('takes.links')).optional(),
  logo: about(text.optional(), 'A PNG, JPEG, WebP or GIF file beside this one; none removes it.'),
  dark_logo: about(text.optional(), 'The logo in dark windows, as the logo.'),
  icon: about(text.optional(), 'The icon in tabs and bookmarks, as the logo.'),
});

const invitation = strictMap({ email: text, groups: texts.optional() });

export const fileSchema = strictMap({
  $schema: text.optional(),
  settings: about(settings.optional(), 'By their names in the environment.'),
  branding: branding.optional(),
  scopes: mapOf(scope).optional(),
  groups: about(mapOf(group).optional(), 'By name.'),
  providers: about(mapOf(provider).optional(), 'By the word in the redirect URI.'),
  fields: about(mapOf(field).optional(), 'Further facts about people, by the name of the claim.'),
  apps: about(mapOf(app).optional(), 'By client_id.'),
  apis: about(mapOf(api).optional(), 'By identifier, the address that apps send as resource.'),
  terms: about(
    mapOf(strictMap(termsFields)).optional(),
    'Terms of use, by the name of the version.',
  ),
  invitations: about(
    z.array(invitation, 'takes a list of email and groups').optional(),
    'People to invite, unless they are here already.',
  ),
});

/** The parsed file. Fields of apps keep the names that they have in the file. */
export type ConfigFile = z.output<typeof fileSchema>;
export type FileProvider = NonNullable<ConfigFile['providers']>[string];
export type FileApp = NonNullable<ConfigFile['apps']>[string];

let made: object | null = null;

/** The JSON Schema of the file, for editors. */
export function configFileSchema(): object {
  made ??= {
    ...z.toJSONSchema(fileSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'gatehouse.yaml',
  };
  return made;
}
