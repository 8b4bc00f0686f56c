import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import { type Statement, write } from './engine/database.ts';
import { whenDurable } from './engine/transaction.ts';

/** The event types, by area. An unlisted type does not compile. */
export const auditTypes = [
  'sign-in.success',
  'sign-in.failure',
  'sign-in.throttled',
  'sign-out',
  'session.ended',
  'consent.given',
  'consent.denied',
  'consent.withdrawn',
  'device.allowed',
  'device.denied',
  'code.reused',
  'refresh-token.reused',
  'token.revoked',
  'access.refused',
  'client-auth.failure',
  'factor.added',
  'factor.removed',
  'factor.renamed',
  'factor.failure',
  'factor.throttled',
  'factors.reset',
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
  'user.enabled',
  'user.deleted',
  // Written by earlier versions.
  'user.admin-changed',
  'user.role-changed',
  'user.failures-forgotten',
  'user.name-freed',
  'invitation.created',
  'invitation.revoked',
  'client.created',
  'client.introduced',
  'client.requested',
  'client.approved',
  'client.refused',
  'client.updated',
  'client.disabled',
  'client.enabled',
  'client.deleted',
  'client.secret-rotated',
  'client.contact-added',
  'client.contact-removed',
  'client.user-allowed',
  'client.user-disallowed',
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
  'group.member-added',
  'group.member-removed',
  'field.created',
  'field.updated',
  'field.deleted',
  'registration-token.created',
  'registration-token.removed',
  'api-key.created',
  'api-key.deleted',
  'setting.changed',
  'branding.changed',
  'keys.rotated',
  'keys.revoked',
  'set-up.completed',
  'audit.exported',
  'trace.mended',
] as const;

export type AuditType = (typeof auditTypes)[number];

/** The types of an area, which is the part before the dot. */
export function typesOfArea(area: string): AuditType[] {
  return auditTypes.filter((type) => type === area || type.startsWith(`${area}.`));
}

export type AuditEntry = {
  type: AuditType;
  /** The actor: a user id, 'cli', 'file' or 'system'. */
  actor?: string | null;
  userId?: string | null;
  clientId?: string | null;
  address?: string | null;
  requestId?: string | null;
  /** Further facts; never a secret, token or password. */
  detail?: Record<string, unknown>;
};

const insert = `
  INSERT INTO audit_events (id, at, type, actor, user_id, client_id, address, request_id, detail)
  VALUES (:id, :now, :type, :actor, :userId, :clientId, :address, :requestId, :detail)`;

/** The statement that stores an event, for the same transaction as the change it reports. */
export function auditing(entry: AuditEntry, now: Date): Statement {
  const {
    type,
    actor = null,
    userId = null,
    clientId = null,
    address = null,
    requestId = null,
    detail = {},
  } = entry;
  const id = newId(now);
  const said = { id, actor, userId, clientId, address, requestId };
  const line = { audit: type, ...said, detail };
  return {
    sql: insert,
    event: entry,
    // Also a log line, so it can be shipped to where admins can't delete it.
    whenDone: () => {
      log().info(line, 'audit');
      metrics()?.happened(type);
    },
    params: { ...said, now, type, detail: JSON.stringify(detail) },
  };
}

const onceEvery = 60_000;
const maxRemembered = 10_000;

/**
 * Stores an event that strangers can cause at will: at most once a minute per key and process, so
 * it can't fill the disk.
 */
export async function auditOnce(key: string, entry: AuditEntry, now: Date): Promise<void> {
  const recent = once('audit-once', () => new Map<string, number>());
  const full = `${entry.type} ${key}`;
  if (now.getTime() - (recent.get(full) ?? 0) < onceEvery) return;
  if (recent.size >= maxRemembered) recent.clear();
  recent.set(full, now.getTime());
  await audit(entry, now);
}

/** Stores an event. */
export async function audit(entry: AuditEntry, now: Date): Promise<void> {
  const statement = auditing(entry, now);
  await write(statement.sql, statement.params);
  whenDurable(statement);
}
