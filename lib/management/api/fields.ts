import { z } from 'zod';
import { apiAccesses, tokenFormats } from '../../oauth/api.ts';
import { must, oneOf, text, textOrNone, textsByName, timeOrDefault } from '../values.ts';

const scopeOfApi = z.strictObject({
  name: text,
  description: text.meta({ description: 'what an app can do with it; people read this' }),
  descriptions: textsByName.meta({ description: 'that text by language, such as de' }).optional(),
});

/** The one list of the fields of an API that can be set: for acts, configuration file and form. */
export const apiFields = {
  name: text.meta({ description: 'what people read' }),
  description: textOrNone
    .meta({ description: 'what it is, as people read it on the consent page' })
    .optional(),
  token_format: oneOf(tokenFormats)
    .meta({ description: 'opaque, jwt (RFC 9068), or plain-jwt: a JWT with typ JWT' })
    .optional(),
  access_token_ttl: timeOrDefault
    .meta({ description: 'lifetime of its tokens; none: ten minutes for a JWT, else the client’s' })
    .optional(),
  access: oneOf(apiAccesses).meta({ description: 'who may ask for its tokens' }).optional(),
  scopes: z
    .array(scopeOfApi, must('takes.scopes'))
    .meta({ description: 'all its scopes; approvals and tokens of one that is left out end' })
    .optional(),
};
export type ApiField = keyof typeof apiFields;
export const apiFieldNames = Object.keys(apiFields) as ApiField[];

/** The same fields as they are returned. */
export const apiFieldsTold = {
  name: text,
  description: textOrNone,
  token_format: z.enum(tokenFormats),
  access_token_ttl: z.int().nullable(),
  access: z.enum(apiAccesses),
  scopes: z.array(scopeOfApi.required().meta({ id: 'ApiScope' })),
} satisfies Record<ApiField, z.ZodType>;

/** A new API, where nothing else is said. */
export const usualApi = {
  description: null,
  token_format: 'opaque',
  access_token_ttl: null,
  access: 'admins',
  scopes: [],
} as const;
