/**
 * Where pages of the dashboard stood before, and where they stand: bookmarks and links in notes lead
 * on. `next.config.js` redirects for good, with what follows the `?`.
 */
export const moved: Readonly<Record<string, string>> = {
  '/admin/new-api': '/admin/apis/new',
  '/admin/new-client': '/admin/clients/new',
  '/admin/new-field': '/admin/fields/new',
  '/admin/new-group': '/admin/groups/new',
  '/admin/new-person': '/admin/people/new',
  '/admin/new-person/invite': '/admin/people/invite',
  '/admin/new-scope': '/admin/scopes/new',
  '/admin/keys': '/admin/settings/keys',
  '/admin/branding': '/admin/settings/look',
};
