/**
 * The address of the page about one thing. Where users choose the name, a thing can be called
 * `new`, which is already the address of the form for a new one. The page of that thing is then one
 * level deeper, at an address that works for all other names, too.
 */
const pageOf = (list: string, name: string, deeper: string) =>
  name === 'new' ? `${list}/new/${deeper}` : `${list}/${encodeURIComponent(name)}`;

/** The pages about an app. */
export const clientTabs = ['connect', 'activity', 'access', 'settings'] as const;
type ClientPage = (typeof clientTabs)[number] | 'try' | 'preview';

/** The address of an app's main page, or of another page about it. */
export function clientPage(clientId: string, page: ClientPage = 'connect'): string {
  if (page === 'connect') return pageOf('/admin/clients', clientId, page);
  return `/admin/clients/${encodeURIComponent(clientId)}/${page}`;
}

export const scopePage = (name: string) => pageOf('/admin/scopes', name, 'edit');

export const termsPage = (name: string) => `/admin/terms/${encodeURIComponent(name)}`;

export const fieldPage = (name: string) => pageOf('/admin/fields', name, 'edit');
