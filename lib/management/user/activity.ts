import type { AuditType } from '../../store/audit-entry.ts';
import type { Page, Paging } from '../../store/engine/page.ts';
import { type OwnEvent, ownEventList } from '../../store/own-events.ts';
import { pageOf } from '../page.ts';

/** The audit events that people see about themselves, grouped by subject. They see no others. */
export const activityTypes = {
  'sign-ins': [
    'sign-in.success',
    'sign-in.failure',
    'sign-in.throttled',
    'sign-in.denied',
    'sign-in.code-sent',
    'factor.failure',
    'factor.throttled',
    'recovery-code.used',
    'sign-out',
    'session.ended',
  ],
  apps: [
    'consent.given',
    'consent.denied',
    'consent.withdrawn',
    'device.allowed',
    'device.denied',
    'access.refused',
    'agent.acted',
    'code.reused',
    'refresh-token.reused',
    'client.introduced',
    'client.requested',
    'client.user-allowed',
    'client.user-disallowed',
    'client.contact-added',
    'client.contact-removed',
    'client.owner-set',
  ],
  changes: [
    'password.changed',
    'password.reset',
    'password.reset-requested',
    'factor.added',
    'factor.removed',
    'factor.renamed',
    'factor.remembered',
    'factor.forgotten',
    'identity.linked',
    'identity.unlinked',
    'factors.reset',
    'factors.required',
    'factors.optional',
    'app-password.made',
    'app-password.ended',
    'recovery-codes.made',
    'email.change-requested',
    'email.changed',
    'email.confirmed',
    'notices.changed',
    'user.registered',
    'user.created',
    'user.updated',
    'user.disabled',
    'user.enabled',
    'user.admin-changed',
    'user.role-changed',
    'user.failures-forgotten',
    'user.deletion-requested',
    'user.deletion-canceled',
    'user.data-taken',
    'group.member-added',
    'group.member-removed',
    'set-up.completed',
    'terms.agreed',
    'terms.declined',
  ],
} as const satisfies Record<string, readonly AuditType[]>;

export type ActivityKind = keyof typeof activityTypes;
export type ActivityType = (typeof activityTypes)[ActivityKind][number];
export type Activity = OwnEvent & { type: ActivityType };

export const activityKinds = Object.keys(activityTypes) as ActivityKind[];
const allTypes = activityKinds.flatMap((kind): readonly ActivityType[] => activityTypes[kind]);

/** Days that a person can look back. The audit log may be kept for fewer. */
export const activityDays = 90;

/**
 * What happened to a person's account lately, newest first.
 * @throws AdminRefusal for a bad cursor
 */
export async function listActivity(
  userId: string,
  { kind, ...paging }: Paging & { kind?: ActivityKind },
  now: Date,
): Promise<Page<Activity>> {
  const since = new Date(now.getTime() - activityDays * 24 * 3600_000);
  const types: readonly ActivityType[] = kind ? activityTypes[kind] : allTypes;
  const page = await pageOf(ownEventList, { ...paging, userId, types, since });
  return { ...page, rows: page.rows.filter(isActivity) };
}

const isActivity = (event: OwnEvent): event is Activity =>
  (allTypes as readonly string[]).includes(event.type);

export function kindOf(type: ActivityType): ActivityKind {
  return (
    activityKinds.find((kind) => (activityTypes[kind] as readonly string[]).includes(type)) ??
    'changes'
  );
}
