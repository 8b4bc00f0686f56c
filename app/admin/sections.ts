import { hasOutbox } from '#lib/mail/outbox.ts';
import type { Text } from '#lib/messages/text.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { type Badge, readBadges } from './badges.ts';
import { needToOpen, type Page, pageRows } from './pages.ts';

export type Section = Pick<Page, 'icon' | 'within'> & {
  href: string;
  label: string;
  badge?: Badge | undefined;
};

/** The sections of the dashboard that this role may open, in groups that belong together. */
export async function sectionsFor(role: Role, text: Text): Promise<Section[][]> {
  const badges: Record<string, Badge> = may(role, 'see-everything') ? await readBadges(text) : {};
  const groups: Section[][] = [];
  for (const [href, { title, icon, within, apart }] of pageRows) {
    if (!title || !icon || !may(role, needToOpen(href))) continue;
    // Mails are shown instead of sent only in development.
    if (href === '/admin/outbox' && !hasOutbox()) continue;
    const section = { href, label: text(title), icon, within, badge: badges[href] };
    if (apart || groups.length === 0) groups.push([section]);
    else groups.at(-1)?.push(section);
  }
  return groups;
}
