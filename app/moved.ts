/**
 * Old addresses of dashboard pages and their present ones, so that bookmarks and links in notes
 * still work. `next.config.js` redirects permanently and keeps the query.
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
