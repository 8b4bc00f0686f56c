import { z } from 'zod';
import { onOff, text, textsByName } from '../values.ts';

/** The one list of the fields of a scope that can be set: for acts, configuration file and form. */
export const scopeFields = {
  description: text.meta({
    description: 'what an app can do with it, as people read it on the consent page',
  }),
  descriptions: textsByName
    .meta({ description: 'the description by language, such as de; an empty text removes one' })
    .optional(),
  default: onOff.meta({ description: 'requested by clients that name no scope' }).optional(),
  sensitive: onOff
    .meta({
      description: 'only for clients that list it; tokens of other clients that carry it end',
    })
    .optional(),
};
export type ScopeField = keyof typeof scopeFields;
export const scopeFieldNames = Object.keys(scopeFields) as ScopeField[];

/** The same fields as they are returned. */
export const scopeFieldsTold = {
  description: text,
  descriptions: textsByName,
  default: z.boolean(),
  sensitive: z.boolean(),
} satisfies Record<ScopeField, z.ZodType>;
