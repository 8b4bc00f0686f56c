/**
 * The event types, by area. An unlisted type does not compile. Admins read the text
 * `audit.event.TYPE` in dashboard.json, with `own.` where users did it to their own account
 * (app/admin/audit/audit-sentence.ts), and `audit.areas.AREA`. What people see of their own account
 * is listed in lib/management/user/activity.ts, with `activity.event.TYPE` in people.json.
 */
export const auditTypes = [
  'sign-in.success',
  'sign-in.failure',
  'sign-in.throttled',
  'sign-in.denied',
  'sign-in.code-sent',
  'sign-out',
  'session.ended',
  'consent.given',
  'consent.denied',
  'consent.withdrawn',
  'consent.exported',
  'device.allowed',
  'device.denied',
  'code.reused',
  'refresh-token.reused',
  'token.revoked',
  'access.refused',
  'agent.acted',
  'trace.exported',
  'client-auth.failure',
  'factor.added',
  'factor.removed',
  'factor.renamed',
  'factor.remembered',
  'factor.forgotten',
  'factor.failure',
  'factor.throttled',
  'factors.reset',
  'factors.required',
  'factors.optional',
  'identity.linked',
  'identity.unlinked',
  'app-password.made',
  'app-password.ended',
  'recovery-codes.made',
  'recovery-code.used',
  'password.changed',
  'password.reset',
  'password.reset-requested',
  'email.change-requested',
  'email.changed',
  'email.confirmed',
  'notices.changed',
  'user.registered',
  'user.created',
  'user.updated',
  'user.disabled',
  'user.end-changed',
  'user.enabled',
  'user.deletion-requested',
  'user.deletion-canceled',
  'user.data-taken',
  'user.deleted',
  'user.restored',
  'user.admin-changed', // Written only by earlier versions.
  'user.role-changed',
  'user.failures-forgotten',
  'user.name-freed',
  'user.exported',
  'invitation.created',
  'invitation.revoked',
  'client.exported',
  'client.created',
  'client.introduced',
  'client.requested',
  'client.approved',
  'client.refused',
  'client.updated',
  'client.disabled',
  'client.enabled',
  'client.deleted',
  'client.restored',
  'client.secret-rotated',
  'client.contact-added',
  'client.contact-removed',
  'client.owner-set',
  'client.user-allowed',
  'client.user-disallowed',
  'client.user-end-changed',
  'client.group-allowed',
  'client.group-disallowed',
  'client.tried',
  'host.blocked',
  'host.unblocked',
  'scope.created',
  'scope.updated',
  'scope.deleted',
  'api.created',
  'api.updated',
  'api.deleted',
  'api.client-added',
  'api.client-removed',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.restored',
  'group.member-added',
  'group.member-removed',
  'group.member-end-changed',
  'field.created',
  'field.updated',
  'field.deleted',
  'provider.created',
  'provider.updated',
  'provider.deleted',
  'provider.tried',
  'registration-token.created',
  'registration-token.removed',
  'api-key.created',
  'api-key.deleted',
  'deletion.ended',
  'batch.started',
  'batch.stopped',
  'batch.undone',
  'setting.changed',
  'branding.changed',
  'terms.created',
  'terms.ended',
  'terms.agreed',
  'terms.declined',
  'terms.exported',
  'keys.rotated',
  'keys.revoked',
  'set-up.completed',
  'audit.exported',
  'trace.mended',
] as const;

export type AuditType = (typeof auditTypes)[number];
type AreaOf<Type extends string> = Type extends `${infer Area}.${string}` ? Area : Type;

/** The areas that types begin with, each once. */
export const auditAreas = [
  ...new Set(auditTypes.map((type) => type.replace(/\..*/, '') as AreaOf<AuditType>)),
];

/** The types of an area, which is the part before the dot. */
export function typesOfArea(area: string): AuditType[] {
  return auditTypes.filter((type) => type === area || type.startsWith(`${area}.`));
}

export type AuditEntry = {
  type: AuditType;
  /** The actor: a user id, 'cli', 'file', 'date' or 'system'. */
  actor?: string | null;
  userId?: string | null;
  clientId?: string | null;
  address?: string | null;
  requestId?: string | null;
  /** Further facts; never a secret, token or password. */
  detail?: Record<string, unknown>;
};
