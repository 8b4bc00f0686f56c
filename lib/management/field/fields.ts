import { fieldEditors, fieldTypes } from '../../people/user-field.ts';
import { text } from '../values.ts';

/** The one list of what can be set on a field of people. The rules say which words are allowed. */
export const fieldFields = {
  label: text.meta({ description: 'what people read' }),
  type: text
    .meta({ description: 'cannot change once someone has a value', enum: fieldTypes })
    .optional(),
  editor: text
    .meta({ description: 'who can change it besides admins', enum: fieldEditors })
    .optional(),
  scope: text.meta({ description: 'apps that are allowed it get the value (profile)' }).optional(),
};

export type FieldField = keyof typeof fieldFields;
export const fieldFieldNames = Object.keys(fieldFields) as FieldField[];
