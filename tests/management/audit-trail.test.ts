import pino from 'pino';
import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { type AuditFilter, listAuditAt } from '#lib/management/audit-event/audit.ts';
import { listSettings, setSetting } from '#lib/management/setting/settings.ts';
import { parseSetting } from '#lib/settings/table.ts';
import type { Actor } from '#lib/store/actor.ts';
import { audit, auditOnce, auditTold, endMinutes } from '#lib/store/audit.ts';
import { auditList } from '#lib/store/audit-list.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { readSettings } from '#lib/store/settings.ts';
import { putMade } from '../support/made.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';

const admin: Actor = { id: 'somebody' };
const now = new Date();

onEachDatabase(() => {
  /** Collects the audit events that are logged from now on. */
  function listen(): Record<string, unknown>[] {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    putMade('log', pino({ base: undefined }, { write }));
    return lines;
  }

  test('each audit event is also a line of the log, once it is in the database', async () => {
    const lines = listen();
    await audit({ type: 'sign-out', userId: 'u', address: '192.0.2.1', requestId: 'r' }, now);
    await auditOnce('key', { type: 'client-auth.failure', clientId: 'c' }, now);
    await auditOnce('key', { type: 'client-auth.failure', clientId: 'c' }, now);
    await setSetting('CODE_TTL', '31', admin, now);
    await auditTold();
    const { rows } = await auditList.page({});
    expect(lines.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(lines).toMatchObject([
      { audit: 'sign-out', userId: 'u', address: '192.0.2.1', requestId: 'r', msg: 'audit' },
      { audit: 'client-auth.failure', clientId: 'c' },
      { audit: 'setting.changed', actor: 'somebody', detail: { name: 'CODE_TTL', after: '31' } },
    ]);
  });

  test('a line of the log has the names of people and apps beside their ids, as long as they exist', async () => {
    const lines = listen();
    const user = await newUser();
    const admin = await newUser();
    const client = await newClient();
    const about = { actor: admin.id, userId: user.id, clientId: client.id };
    await audit({ type: 'client.owner-set', ...about }, now);
    await audit({ type: 'setting.changed', actor: 'cli' }, now);
    await audit({ type: 'user.deleted', actor: 'gone', userId: 'gone' }, now);
    await auditTold();
    const names = {
      actorName: admin.username,
      username: user.username,
      clientName: `App ${client.id}`,
    };
    expect(lines[0]).toMatchObject({ ...about, ...names });
    for (const line of lines.slice(1))
      for (const name of Object.keys(names)) expect(line).not.toHaveProperty(name);
  });

  test('what one bulk action did is one line of the audit log, unless the events are asked for', async () => {
    const started = new Date(now.getTime() + 1_000_000);
    const by = { actor: 'ada', requestId: 'bulk-1' };
    const at = (seconds: number) => new Date(started.getTime() + seconds * 1000);
    await audit({ type: 'batch.started', ...by, detail: { operation: 'disable' } }, at(0));
    for (let index = 1; index <= 60; index += 1)
      await audit({ type: 'user.disabled', ...by, userId: `bulk-${index}` }, at(index));
    await audit({ type: 'batch.stopped', ...by }, at(70));
    await audit({ type: 'sign-out', userId: 'bulk-1' }, at(71));
    await audit({ type: 'user.enabled', actor: 'ada', requestId: 'other' }, at(72));
    const found = async (filter: AuditFilter) => {
      const { rows, total } = await listAuditAt({ since: started, folded: true, ...filter }, 1);
      expect(total.count).toBeGreaterThanOrEqual(rows.length);
      return rows.map(({ type }) => type);
    };
    expect(await found({})).toEqual(['user.enabled', 'sign-out', 'batch.stopped', 'batch.started']);
    expect(await found({ actor: 'ada' })).toHaveLength(3);
    expect(await found({ folded: false })).toHaveLength(50);
    expect(await found({ type: 'user.disabled' })).toHaveLength(50);
    expect(await found({ userId: 'bulk-1' })).toEqual(['sign-out', 'user.disabled']);
    expect(await found({ requestId: 'bulk-1' })).toHaveLength(50);
    // The day of its beginning is not asked for: nothing stands for its events.
    expect(await found({ since: at(30), until: at(40) })).toHaveLength(10);
  });

  test('a process stores at most sixty a minute of each type of audit event that anonymous requests can cause', async () => {
    await auditTold();
    const lines = listen();
    const later = new Date(now.getTime() + 86_400_000);
    const cause = async (type: 'access.refused' | 'code.reused', key: number, after = 0) =>
      auditOnce(`key ${key}`, { type }, new Date(later.getTime() + after));
    for (let key = 0; key < 100; key += 1) await cause('access.refused', key);
    await cause('code.reused', 0);
    const told = async () => {
      await auditTold();
      return lines.map(({ audit: type, leftOut }) => leftOut ?? type);
    };
    expect(await told()).toEqual([...Array(60).fill('access.refused'), 'code.reused']);
    await cause('access.refused', 0, 59_999);
    // Of requests that began earlier and end later.
    for (let key = 0; key < 100; key += 1) await cause('access.refused', key, -key);
    await cause('access.refused', 0, 60_000);
    expect((await told()).slice(61)).toEqual([80, 'access.refused']);
    for (let key = 0; key < 70; key += 1) await cause('code.reused', key, 60_000);
    const before = (await told()).length;
    endMinutes(new Date(later.getTime() + 119_999));
    expect(lines.length).toBe(before);
    endMinutes(new Date(later.getTime() + 120_000));
    endMinutes(new Date(later.getTime() + 180_000));
    expect((await told()).slice(before)).toEqual([10]);
  });

  test('a change that was refused is neither in the audit log nor in the log', async () => {
    await auditTold();
    const lines = listen();
    const seen = 'what nobody set';
    await expect(setSetting('CODE_TTL', '32', admin, now, seen)).rejects.toThrow();
    await auditTold();
    expect(lines).toEqual([]);
  });

  test('AUDIT_RETENTION_DAYS: only the operator can set less than 30 days', async () => {
    for (const text of ['1', '29'])
      await expect(setSetting('AUDIT_RETENTION_DAYS', text, admin, now)).rejects.toMatchObject({
        sentences: {
          auditRetentionDays: `AUDIT_RETENTION_DAYS is "${text}", and has to be 30 or more, or 0 for no limit; only the environment can set less.`,
        },
      });
    for (const text of ['30', '0', '400'])
      expect(await setSetting('AUDIT_RETENTION_DAYS', text, admin, now)).toMatchObject({
        value: Number(text),
      });
    expect(parseSetting('auditRetentionDays', '1')).toBe(1);
  });

  test('AUDIT_RETENTION_DAYS: a lower value that an admin set in an older version counts as 30 days', async () => {
    await (await prisma()).setting.updateMany({
      where: { name: 'AUDIT_RETENTION_DAYS' },
      data: { value: '1' },
    });
    await raiseRevision();
    expect((await readSettings()).auditRetentionDays).toBe(30);
    config().fixedSettings.auditRetentionDays = 1;
    await raiseRevision();
    expect((await readSettings()).auditRetentionDays).toBe(1);
    const shown = (await listSettings()).find(({ key }) => key === 'auditRetentionDays');
    expect(shown).toMatchObject({ value: 1, source: 'environment' });
  });
});
