/**
 * Where the page about one thing stands. What goes by a name of its maker's choice may be called
 * `new`, and the form for a new one stands there: its page is then found one step deeper, where
 * every other of its kind has it too.
 */
const pageOf = (list: string, name: string, deeper: string) =>
  name === 'new' ? `${list}/new/${deeper}` : `${list}/${encodeURIComponent(name)}`;

/** The pages about an app. */
export const clientTabs = ['connect', 'activity', 'access', 'settings'] as const;
type ClientPage = (typeof clientTabs)[number] | 'try' | 'preview';

/** The address of an app's page, or of one of its others. */
export function clientPage(clientId: string, page: ClientPage = 'connect'): string {
  if (page === 'connect') return pageOf('/admin/clients', clientId, page);
  return `/admin/clients/${encodeURIComponent(clientId)}/${page}`;
}

export const scopePage = (name: string) => pageOf('/admin/scopes', name, 'edit');

export const fieldPage = (name: string) => pageOf('/admin/fields', name, 'edit');
