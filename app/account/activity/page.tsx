import { networkOf } from '#lib/http/network.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import {
  type Activity,
  type ActivityKind,
  activityDays,
  activityKinds,
  kindOf,
  listActivity,
} from '#lib/management/user/activity.ts';
import { textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { ActivityView, type Happening } from './view.tsx';

type Query = Partial<Record<'kind' | 'cursor', string | string[]>>;

export default async function ActivityPage({ searchParams }: { searchParams: Promise<Query> }) {
  const session = await requireUser();
  const locale = await pageLocale();
  const query = await searchParams;
  const kind = activityKinds.find((each) => each === query.kind);
  const page = await pageAt(session.user.id, kind, query.cursor?.toString());
  return (
    <AccountFrame
      locale={locale}
      at="/account/activity"
      lead={textIn(locale)('activity.lead', { days: String(activityDays) })}
      role={session.user.role}
    >
      <ActivityView
        locale={locale}
        days={String(activityDays)}
        kind={kind}
        rows={page.rows.map(happening)}
        newer={page.previous}
        older={page.next}
      />
    </AccountFrame>
  );
}

/** The page at a cursor, or the first page if we did not issue the cursor. */
async function pageAt(userId: string, kind: ActivityKind | undefined, cursor?: string) {
  const now = new Date();
  try {
    return await listActivity(userId, { kind, cursor, limit: 30 }, now);
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    return listActivity(userId, { kind, limit: 30 }, now);
  }
}

function happening({
  id,
  at,
  type,
  by,
  clientName,
  address,
  device,
  through,
}: Activity): Happening {
  return {
    id,
    type,
    device,
    at: at.toISOString(),
    kind: kindOf(type),
    app: clientName,
    through,
    byOther: by === 'other',
    network: address && networkOf(address),
  };
}
