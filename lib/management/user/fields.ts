import { z } from 'zod';
import { roles } from '../../people/roles.ts';
import {
  moment,
  momentOrNone,
  must,
  oneOf,
  strictMap,
  text,
  textOrNone,
  texts,
  yesOrNo,
} from '../values.ts';
import { addressFields, profileFields } from './claims.ts';

/** What can be set on a person when their account is made, and later. */
export const userFields = {
  username: text.meta({ description: 'what they sign in with' }),
  email: text.meta({ description: 'their email address' }),
  name: textOrNone.meta({ description: 'their full name' }).optional(),
  email_verified: yesOrNo
    .meta({ description: 'the email address is known to be theirs' })
    .optional(),
};

const textsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, textOrNone.optional()])) as Record<
    Name,
    z.ZodOptional<typeof textOrNone>
  >;

/**
 * Standard claims (OpenID Connect Core section 5.1) to change; null or an empty text removes one.
 */
export const claimsSaid = strictMap({
  ...textsOf(profileFields),
  phone_number_verified: yesOrNo.optional(),
  address: strictMap(textsOf(['formatted', ...addressFields])).optional(),
});
export type ClaimsSaid = z.output<typeof claimsSaid>;

const fieldValue = z.union(
  [text, z.number(), z.boolean(), z.array(text), z.null()],
  must('takes.fieldValue'),
);
/** Values of the operator's own fields to change. Null removes one. */
export const fieldsSaid = z.record(z.string(), fieldValue, must('takes.namesWithValues'));
export type FieldsSaid = z.output<typeof fieldsSaid>;

export const roleSaid = oneOf(roles);

export const userTold = z
  .object({
    id: text,
    username: text,
    username_unfit: z.boolean().meta({ description: 'it breaks the rules and must change' }),
    email: text,
    email_verified: z.boolean(),
    name: textOrNone,
    claims: z
      .record(z.string(), z.union([text, z.boolean(), z.record(z.string(), text)]))
      .meta({ description: 'further standard claims' }),
    must_change_password: z.boolean(),
    require_second_factor: z.boolean().meta({ description: 'an admin requires two steps of them' }),
    admin: z.boolean(),
    role: z.enum(roles),
    disabled: z.boolean(),
    disabled_at: momentOrNone,
    ends_at: momentOrNone.meta({ description: 'when the account is disabled by itself' }),
    deletion_at: momentOrNone.meta({
      description: 'when the account will be deleted, because its owner asked for it',
    }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'User' });

/** The values that a user has in the operator's own fields. */
export const fieldsTold = z.record(
  z.string(),
  z.union([text, z.number(), z.boolean(), z.array(text)]),
);

export const groupsTold = texts.meta({ description: 'names of the groups that they are in' });
