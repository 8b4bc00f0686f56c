import type { FieldEditor, FieldType } from '../../people/user-field.ts';

/** What the pages about fields of people say. */
export const fieldWords = {
  title: 'Fields',
  lead: 'Extra profile fields you can share with apps.',
  add: 'Add a field',
  list: 'Fields',
  columnField: 'Field',
  columnType: 'Holds',
  columnEditor: 'Who can change it',
  columnScope: 'Told with scope',
  empty: 'No fields yet',
  emptyText:
    'Add one for what your apps need to know of people: a department, a shirt size, a plan.',
  newTitle: 'Add a field',
  newLead: 'Everyone gets it, empty at first. Apps are told a value once there is one.',
  name: 'Claim',
  nameHint:
    'What apps read, such as department or https://example.org/plan. You can’t change it later.',
  label: 'Label',
  labelHint: 'What people read, here, in their profile and when they allow an app.',
  type: 'What it holds',
  typeFixed: 'This can’t change any more: people have values that would not fit.',
  types: {
    text: 'Text',
    number: 'A number',
    switch: 'Yes or no',
    list: 'A list',
  } satisfies Record<FieldType, string>,
  typeHints: {
    text: 'One line of up to 500 characters.',
    number: 'Such as 3 or 2.5.',
    switch: 'Or nothing, while it’s not known.',
    list: 'Up to 50 short texts, 2,000 characters in all. Apps get an array.',
  } satisfies Record<FieldType, string>,
  editor: 'Who can change it',
  editors: {
    admin: 'Admins only',
    person: 'The person and admins',
  } satisfies Record<FieldEditor, string>,
  editorHints: {
    admin: 'People see their own value in their profile.',
    person: 'Choose this only if no app decides by it what someone may do.',
  } satisfies Record<FieldEditor, string>,
  scope: 'Scope',
  scopeHint:
    'Apps that are allowed this scope are told the value, also those that were allowed it before. The consent page says so.',
  create: 'Add field',
  save: 'Save',
  created: (label: string) => `Field “${label}” added. You’ll find it on everyone’s page.`,
  saved: 'Saved. Changes take effect immediately.',
  remove: 'Delete this field',
  removeText: 'Apps are no longer told it, and everyone’s value is deleted.',
  removeButton: 'Delete…',
  removeWhat: (label: string, people: number) =>
    `This permanently deletes “${label}” and ${valuesOf(people)}. It can’t be undone.`,
  removeConfirm: 'Yes, delete it',
  removed: (label: string) => `Field “${label}” deleted.`,
  search: (name: string) => `Find people by it: search for ${name}: and the start of a value.`,
  own: 'Your fields',
  unknown: 'Not set',
  yes: 'Yes',
  no: 'No',
  listHint: 'One entry per line.',
} as const;

const valuesOf = (people: number) =>
  people === 0
    ? 'nobody’s value: it’s empty everywhere'
    : people === 1
      ? 'the value of one person'
      : `the values of ${people.toLocaleString('en')} people`;
