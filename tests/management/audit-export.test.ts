import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { exportAudit } from '#lib/management/audit-event/audit-export.ts';
import { csvCell } from '#lib/management/csv.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { audit } from '#lib/store/audit.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, unique } from './people.ts';

const day = 24 * 3600_000;

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a, "b"', '"a, ""b"""'],
  ['=1+1', `"'=1+1"`],
  ['+49', `"'+49"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  [' =1', `"' =1"`],
  ['two\nlines', '"two\nlines"'],
])('CSV export writes the text %j as the cell %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

onEachDatabase(() => {
  test('an export of the audit log has all events of the search, over several pages', async () => {
    const clientId = unique('client');
    const start = Date.UTC(2031, 0, 1);
    for (let index = 0; index < 1203; index += 1) {
      await audit(
        { type: 'client-auth.failure', clientId, detail: { index } },
        new Date(start + index),
      );
    }
    const json = JSON.parse(await textOf(exportAudit({ clientId }, 'json'))) as {
      detail: { index: number };
    }[];
    expect(json.map(({ detail }) => detail.index)).toEqual(
      Array.from({ length: 1203 }, (_, index) => 1202 - index),
    );
    const csv = (await textOf(exportAudit({ clientId, type: 'client-auth' }, 'csv'))).split('\r\n');
    expect(csv).toHaveLength(1205);
    expect(csv[1]).toContain('client-auth.failure');
    expect(await textOf(exportAudit(null, 'json'))).toBe('[\n]\n');
  });

  test('the audit events of an area are read in pages without a gap or a repeat', async () => {
    const userId = unique('user');
    const types = ['sign-in.success', 'sign-in.failure', 'sign-in.throttled'] as const;
    for (let index = 0; index < 20; index += 1) {
      await audit(
        { type: types[index % 3] ?? 'sign-out', userId, detail: { index } },
        new Date(Date.UTC(2031, 0, 2, 0, 0, index >> 1)),
      );
    }
    const seen: unknown[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await listAudit({ userId, type: 'sign-in', limit: 3, cursor });
      seen.push(...page.rows.map(({ detail }) => detail.index));
      cursor = page.next ?? undefined;
      more = cursor !== undefined;
    }
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  test('audit events are deleted when they are older than AUDIT_RETENTION_DAYS', async () => {
    const [now, clientId] = [new Date(), unique('old')];
    const made = (days: number) =>
      audit({ type: 'sign-out', clientId, detail: { days } }, new Date(now.getTime() - days * day));
    for (const days of [1, 40, 399, 401]) await made(days);
    const left = async () => (await listAudit({ clientId })).rows.map(({ detail }) => detail.days);
    await deleteExpired(now);
    expect(await left()).toEqual([1, 40, 399]);
    await setSetting('AUDIT_RETENTION_DAYS', '30', actor, now);
    await deleteExpired(now);
    expect(await left()).toEqual([1]);
    await setSetting('AUDIT_RETENTION_DAYS', '0', actor, now);
    await made(5000);
    await deleteExpired(now);
    expect(await left()).toEqual([1, 5000]);
  });
});
