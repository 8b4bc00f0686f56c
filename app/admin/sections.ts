/** The sections of the dashboard, in the order of its navigation. */
export const sections = [
  { href: '/admin/clients', label: 'Clients' },
  { href: '/admin/scopes', label: 'Scopes' },
  { href: '/admin/settings', label: 'Settings' },
] as const;
