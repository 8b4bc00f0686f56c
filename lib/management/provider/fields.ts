import { z } from 'zod';
import { kinds } from '../../identity/upstream/provider-kinds.ts';
import type { Provider } from '../../store/providers.ts';
import { text, textOrNone, texts, wholeNumber, yesOrNo } from '../values.ts';

const about = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description }) as Schema;

const mapped = z.strictObject({ value: text, group_id: text });

/** The one list of what an admin can set on a provider, for acts, configuration file and form. */
export const providerFields = {
  name: about(text, 'the name people see').optional(),
  button_words: about(
    textOrNone,
    'what its button says instead of “Continue with NAME”',
  ).optional(),
  mark: about(textOrNone, 'the picture on its button instead of that of its kind').optional(),
  issuer: about(text, 'its issuer; GitHub Enterprise: its address').optional(),
  client_id: about(text, 'the client id it gave to this server'),
  apple_team_id: about(textOrNone, 'Apple only: the id of your team').optional(),
  apple_key_id: about(textOrNone, 'Apple only: the id of the key').optional(),
  scopes: about(texts, 'the scopes to ask for, instead of those its kind needs').optional(),
  position: about(wholeNumber, 'the position of its button, counted from 0').optional(),
  enabled: about(yesOrNo, 'off: it has no button, and its answers are refused').optional(),
  may_sign_in: about(yesOrNo, 'people who linked it may sign in with it').optional(),
  may_register: about(yesOrNo, 'new people can create an account with it').optional(),
  domains: about(texts, 'only people with a verified address at one of these').optional(),
  groups_claim: about(textOrNone, 'the claim that groups are mapped from').optional(),
  groups: about(z.array(mapped), 'people with this value in the claim join this group').optional(),
  trusts_second_factor: about(
    yesOrNo,
    'if it says that it asked for a second factor, none is asked for here',
  ).optional(),
  accepts_assertions: about(
    yesOrNo,
    'its identity assertions give apps here tokens of people who linked it (cross-app access)',
  ).optional(),
  matches_addresses: about(
    yesOrNo,
    'also of people whose address both it and this server have verified',
  ).optional(),
};

export type ProviderField = keyof typeof providerFields;
export const providerFieldNames = Object.keys(providerFields) as ProviderField[];

/** What can be set on a provider, with its secret: null removes it, undefined keeps it. */
export type ProviderSaid = z.output<z.ZodObject<typeof providerFields>> & {
  secret?: string | null;
};

/** A new provider of a kind, where nothing else is said. Its button is the last of `position`. */
export const usualProvider = (kind: Provider['kind'], position: number) =>
  ({
    name: kinds[kind].name,
    button_words: null,
    mark: null,
    issuer: kinds[kind].issuer ?? '',
    client_id: '',
    apple_team_id: null,
    apple_key_id: null,
    scopes: [],
    position,
    enabled: true,
    may_sign_in: true,
    may_register: false,
    domains: [],
    groups_claim: null,
    groups: [],
    trusts_second_factor: false,
    accepts_assertions: false,
    matches_addresses: false,
  }) satisfies Omit<Required<ProviderSaid>, 'secret'>;
