import type { Text } from '#lib/messages/text.ts';
import type { Badge } from './section-nav.tsx';
import { readTroubles } from './troubles.ts';

/** The counts in the navigation: apps waiting for approval, and failing apps. */
export async function readBadges(text: Text): Promise<Badge[]> {
  const troubles = await readTroubles();
  const [waiting, failing] = [troubles.waiting.length, troubles.failing.length];
  const badges = [
    {
      href: '/admin/clients',
      count: waiting,
      says: text('frame.waiting', { waiting }),
      urgent: false,
    },
    {
      href: '/admin/traces',
      count: failing,
      says: text('overview.state.failing', { failing }),
      urgent: true,
    },
  ];
  return badges.filter(({ count }) => count > 0);
}
