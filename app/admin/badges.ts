import type { Text } from '#lib/messages/text.ts';
import type { PagePath } from './pages.ts';
import { readTroubles } from './troubles.ts';

/** What needs attention in a section: how many items, and what they are. */
export type Badge = { count: number; says: string; urgent: boolean };

/** The counts in the navigation: apps waiting for approval, and failing apps. */
export async function readBadges(text: Text): Promise<{ [path in PagePath]?: Badge }> {
  const troubles = await readTroubles();
  const [waiting, failing] = [troubles.waiting.length, troubles.failing.length];
  const says = text('overview.state.failing', { failing });
  return {
    '/admin/clients': { count: waiting, says: text('frame.waiting', { waiting }), urgent: false },
    '/admin/traces': { count: failing, says, urgent: true },
  };
}
