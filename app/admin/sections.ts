import type { BrowserKey } from '../ui/browser-keys.ts';
import type { IconName } from '../ui/line-icon.tsx';

type Label = Extract<BrowserKey, `frame.section.${string}`>;

export type Section = {
  href: string;
  label: Label;
  icon: IconName;
  within?: readonly string[];
};

/** The dashboard sections in navigation order, in groups that belong together. */
export const sectionGroups: readonly (readonly Section[])[] = [
  [{ href: '/admin', label: 'frame.section.home', icon: 'house' }],
  [
    { href: '/admin/clients', label: 'frame.section.clients', icon: 'apps' },
    { href: '/admin/apis', label: 'frame.section.apis', icon: 'code' },
    { href: '/admin/scopes', label: 'frame.section.scopes', icon: 'key' },
  ],
  [
    {
      href: '/admin/people',
      label: 'frame.section.people',
      icon: 'people',
      within: ['/admin/fields', '/admin/directories'],
    },
    { href: '/admin/groups', label: 'frame.section.groups', icon: 'groups' },
    { href: '/admin/providers', label: 'frame.section.providers', icon: 'plug' },
    { href: '/admin/approvals', label: 'frame.section.approvals', icon: 'check' },
  ],
  [
    { href: '/admin/traces', label: 'frame.section.attempts', icon: 'pulse' },
    { href: '/admin/audit', label: 'frame.section.audit', icon: 'book' },
  ],
  [{ href: '/admin/settings', label: 'frame.section.settings', icon: 'gear' }],
];

/** Mails shown instead of sent; development only. */
export const outboxSection: Section = {
  href: '/admin/outbox',
  label: 'frame.section.outbox',
  icon: 'envelope',
};
