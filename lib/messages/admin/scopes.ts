/** What the pages about scopes say. */
export const scopeWords = {
  title: 'Scopes',
  lead: 'What apps can ask for. People read these sentences when they decide.',
  add: 'Add a scope',
  list: 'Scopes',
  columnScope: 'Scope',
  columnSays: 'What people read',
  columnAsked: 'How it’s requested',
  builtIn: 'Built in',
  isDefault: 'Default',
  sensitive: 'Sensitive',
  newTitle: 'Add a scope',
  newLead: 'A scope is one thing an app can do. Your API checks for it in the token.',
  name: 'Name',
  nameHint: 'What apps put in their request, such as reports.read. You can’t change it later.',
  description: 'What people read',
  descriptionHint:
    'Start with a verb, so that it completes “The app will be able to …”. Say what the app can do, not how.',
  translations: 'In other languages',
  translationsHint:
    'For people who use this server in that language. Everyone else reads the text above.',
  descriptionBuiltIn: 'This scope has its own text on the consent page, in every language.',
  preview: 'On the consent page',
  previewEmpty: 'Your text appears here.',
  isDefaultLabel: 'Requested by default',
  isDefaultHint: 'Apps that don’t name any scopes ask for this one.',
  sensitiveLabel: 'Sensitive',
  previewSensitive: 'sensitive',
  sensitiveHint: 'Highlighted on the consent page. Only apps that list it can ask for it.',
  save: 'Save',
  create: 'Add scope',
  created: (name: string) => `Apps can now ask for the scope ${name}.`,
  saved: 'Saved. Changes take effect immediately.',
  mayAsk: 'Who can ask for it',
  mayAskAll: 'Every app without its own list, and apps that list it.',
  mayAskNamed: 'Only apps that list it.',
  mayAskNone: 'No app can ask for it yet.',
  mayAskNoneHow: 'Open an app, choose “Edit”, and select it under “What it can ask for”.',
  allOfThem: 'View all',
  remove: 'Delete this scope',
  removeText:
    'It’s removed from apps and approvals. Codes and tokens that carry it end immediately.',
  removeButton: 'Delete…',
  removeWhat: (name: string, clients: number, grants: number) =>
    `This permanently deletes ${name}. It’s removed from ${count(clients, 'app', 'apps')} and ${count(grants, 'approval', 'approvals')}, and every token that carries it ends immediately.`,
  removeConfirm: 'Yes, delete it',
  removed: (name: string) => `Scope ${name} deleted.`,
} as const;

function count(number: number, one: string, many: string): string {
  return number === 0 ? `No ${one}` : `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
