export type Section = {
  href: string;
  label: string;
  /** Pages that belong to it under an address of their own. */
  also?: string;
};

/** The sections of the dashboard, in the order of its navigation. */
export const sections: readonly Section[] = [
  { href: '/admin/clients', label: 'Clients', also: '/admin/new-client' },
  { href: '/admin/scopes', label: 'Scopes', also: '/admin/new-scope' },
  { href: '/admin/settings', label: 'Settings' },
];
