import type { z } from 'zod';
import { text, textOrNone } from '../values.ts';

/** The one list of what can be set on a group, for acts, configuration file and form. */
export const groupFields = {
  name: text.meta({ description: 'the name that apps get' }),
  description: textOrNone
    .meta({ description: 'what it is for; apps and members do not see it' })
    .optional(),
};

export type GroupField = keyof typeof groupFields;
export const groupFieldNames = Object.keys(groupFields) as GroupField[];

export type GroupSaid = z.output<z.ZodObject<typeof groupFields>>;
