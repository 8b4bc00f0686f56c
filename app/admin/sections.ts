/** The sections of the dashboard, in the order of its navigation. */
export const sections: readonly { href: string; label: string }[] = [
  { href: '/admin/clients', label: 'Clients' },
  { href: '/admin/scopes', label: 'Scopes' },
  { href: '/admin/settings', label: 'Settings' },
];
