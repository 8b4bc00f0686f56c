import type { BrowserKey } from '../ui/browser-keys.ts';

type Label = Extract<BrowserKey, `frame.section.${string}`>;

export type Section = { href: string; label: Label; within?: readonly string[] };

/** The dashboard sections in navigation order. */
export const sections: readonly Section[] = [
  { href: '/admin', label: 'frame.section.home' },
  { href: '/admin/clients', label: 'frame.section.clients' },
  { href: '/admin/people', label: 'frame.section.people', within: ['/admin/fields'] },
  { href: '/admin/groups', label: 'frame.section.groups' },
  { href: '/admin/scopes', label: 'frame.section.scopes' },
  { href: '/admin/apis', label: 'frame.section.apis' },
  { href: '/admin/approvals', label: 'frame.section.approvals' },
  { href: '/admin/traces', label: 'frame.section.attempts' },
  { href: '/admin/audit', label: 'frame.section.audit' },
  { href: '/admin/settings', label: 'frame.section.settings' },
];

/** Mails shown instead of sent; development only. */
export const outboxSection: Section = { href: '/admin/outbox', label: 'frame.section.outbox' };
