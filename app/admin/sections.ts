export type Section = { href: string; label: string; within?: readonly string[] };

/** The dashboard sections in navigation order. */
export const sections: readonly Section[] = [
  { href: '/admin', label: 'Home' },
  { href: '/admin/clients', label: 'Apps' },
  { href: '/admin/people', label: 'People', within: ['/admin/fields'] },
  { href: '/admin/groups', label: 'Groups' },
  { href: '/admin/scopes', label: 'Scopes' },
  { href: '/admin/apis', label: 'APIs' },
  { href: '/admin/approvals', label: 'Approvals' },
  { href: '/admin/traces', label: 'Sign-in attempts' },
  { href: '/admin/audit', label: 'Audit log' },
  { href: '/admin/settings', label: 'Settings' },
];

/** Mails shown instead of sent; development only. */
export const outboxSection: Section = { href: '/admin/outbox', label: 'Outbox' };
