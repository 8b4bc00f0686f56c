export type Section = { href: string; label: string; also?: string; within?: readonly string[] };

/** The dashboard sections in navigation order. */
export const sections: readonly Section[] = [
  { href: '/admin', label: 'Home' },
  { href: '/admin/clients', label: 'Apps', also: '/admin/new-client' },
  {
    href: '/admin/people',
    label: 'People',
    also: '/admin/new-person',
    within: ['/admin/fields', '/admin/new-field'],
  },
  { href: '/admin/groups', label: 'Groups', also: '/admin/new-group' },
  { href: '/admin/scopes', label: 'Scopes', also: '/admin/new-scope' },
  { href: '/admin/apis', label: 'APIs', also: '/admin/new-api' },
  { href: '/admin/approvals', label: 'Approvals' },
  { href: '/admin/traces', label: 'Sign-in attempts' },
  { href: '/admin/audit', label: 'Audit log' },
  { href: '/admin/settings', label: 'Settings', also: '/admin/keys' },
];

/** Mails shown instead of sent; development only. */
export const outboxSection: Section = { href: '/admin/outbox', label: 'Outbox' };
