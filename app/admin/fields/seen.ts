import { z } from 'zod';
import { fieldEditors, fieldTypes, type UserField } from '#lib/people/user-field.ts';

const seen = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  editor: z.enum(fieldEditors),
  scope: z.string(),
});

/** The version of a field a form was filled with, to detect concurrent changes. */
export function seenOf({ name, label, type, editor, scope }: UserField): string {
  return JSON.stringify({ name, label, type, editor, scope } satisfies UserField);
}

/** Parses the output of `seenOf`; undefined for anything else. */
export function readSeen(text: string): UserField | undefined {
  try {
    return seen.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
