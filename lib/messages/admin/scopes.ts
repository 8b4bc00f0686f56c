/** What the pages about scopes say. */
export const scopeWords = {
  title: 'Scopes',
  lead: 'What apps can ask for. People read these sentences when they decide.',
  add: 'Add a scope',
  list: 'Scopes',
  columnScope: 'Scope',
  columnSays: 'What people read',
  columnAsked: 'How it is asked',
  builtIn: 'Built in',
  isDefault: 'Default',
  sensitive: 'Sensitive',
  newTitle: 'Add a scope',
  newLead: 'A scope names one thing that an app may do. Your API checks for it in the token.',
  name: 'Name',
  nameHint: 'What apps write in their request, such as reports.read. It cannot be changed later.',
  description: 'What people read',
  descriptionHint:
    'Begin with a verb, so that it completes “It may also …”. Say what the app can do, not how.',
  descriptionBuiltIn: 'The consent page has words of its own for this scope, in each language.',
  preview: 'On the consent page',
  previewEmpty: 'What you write appears here.',
  isDefaultLabel: 'Asked for by default',
  isDefaultHint: 'An app that names no scopes in its request asks for this one.',
  sensitiveLabel: 'Sensitive',
  previewSensitive: 'sensitive',
  sensitiveHint:
    'Marked on the consent page, and only apps that have it in their own list may ask for it.',
  save: 'Save',
  create: 'Add scope',
  created: (name: string) => `The scope ${name} can be asked for now.`,
  saved: 'Saved. It holds for every request from now on.',
  mayAsk: 'Who may ask',
  mayAskAll: 'Every client without a list of its own, and those that name it in theirs.',
  mayAskNamed: 'Only clients that name it in their own list.',
  mayAskNone: 'No client may ask for it so far.',
  mayAskNoneHow: 'Open a client, choose “Edit”, and tick it under “What it may ask for”.',
  allOfThem: 'See all',
  remove: 'Delete this scope',
  removeText:
    'It leaves the lists of clients and what people have allowed; codes and tokens that carry it end at once.',
  removeButton: 'Delete…',
  removeWhat: (name: string, clients: number, grants: number) =>
    `${name} goes for good. ${count(clients, 'client loses', 'clients lose')} it from their list, ${count(grants, 'approval', 'approvals')} of people ${grants === 1 ? 'loses' : 'lose'} it, and every token that carries it ends at once.`,
  removeConfirm: 'Yes, delete it',
  removed: (name: string) => `The scope ${name} is deleted.`,
} as const;

function count(number: number, one: string, many: string): string {
  return number === 0 ? `No ${one}` : `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
