import { expect, test } from 'vitest';
import { plainBrand } from '#lib/brand.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { changeBranding, showBranding } from '#lib/management/branding/branding.ts';
import { changeServer } from '#lib/management/set-up.ts';
import {
  listSettings,
  type SettingEdit,
  setSetting,
  setSettings,
} from '#lib/management/setting/settings.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf } from './people.ts';

const now = () => new Date();
const { logo: _, ...plain } = plainBrand;
const named = (name: string | null) => ({ ...plain, name });

/** The stored name and profile, and the number of events about either. */
async function stored() {
  const { brand, stored: seen } = await showBranding();
  const profile = (await listSettings()).find(({ key }) => key === 'profile')?.stored ?? '';
  const events = (await listAudit({})).rows.filter(({ type }) =>
    ['branding.changed', 'setting.changed'].includes(type),
  ).length;
  return { name: brand.name, seen, profile, events };
}

const profileEdit = (text: string | null, seen: string): SettingEdit => ({
  key: 'profile',
  text,
  seen,
});

onEachDatabase(() => {
  test('branding and security profile are changed together', async () => {
    const { seen, profile, events } = await stored();
    const edits = [profileEdit('strict', profile)];
    expect(await changeServer({ look: named('One'), seen }, edits, actor, now())).toBe(true);
    const after = await stored();
    expect(after).toMatchObject({ name: 'One', profile: 'strict', events: events + 2 });
    const same = [profileEdit('strict', 'strict')];
    const again = { look: named('One'), seen: after.seen };
    expect(await changeServer(again, same, actor, now())).toBe(false);
    expect(await stored()).toEqual(after);
  });

  test.each<[string, (seen: string) => Parameters<typeof changeServer>[0], SettingEdit[], string]>([
    ['a bad colour', (seen) => ({ look: { ...named('Two'), accent: 'red' }, seen }), [], 'accent'],
    [
      'a profile there is none',
      (seen) => ({ look: named('Two'), seen }),
      [profileEdit('lax', 'strict')],
      'profile',
    ],
    ['another branding', () => ({ look: named('Two'), seen: 'old' }), [], 'seen'],
    ['another profile', (seen) => ({ look: named('Two'), seen }), [profileEdit(null, 'x')], 'seen'],
  ])(
    'changing branding and security profile together: %s leaves both unchanged',
    async (_, edit, edits, field) => {
      const before = await stored();
      const all = edits.length > 0 ? edits : [profileEdit(null, 'strict')];
      expect(await faultsOf(changeServer(edit(before.seen), all, actor, now()))).toHaveProperty(
        field,
      );
      expect(await stored()).toEqual(before);
    },
  );

  test('of several changes of branding and profile at the same time, each happens completely or not at all', async () => {
    for (let round = 0; round < 8; round += 1) {
      const before = await stored();
      const names = ['A', 'B', 'C'].map((name) => `${name}${round}`);
      const other = before.profile === '' ? 'strict' : null;
      const tries = await Promise.allSettled([
        changeBranding(named(names[0] ?? ''), before.seen, actor, now()),
        changeServer(
          { look: named(names[1] ?? ''), seen: before.seen },
          [profileEdit(other, before.profile)],
          actor,
          now(),
        ),
        setSettings([profileEdit('interface', before.profile)], actor, now()),
      ]);
      const [alone, both, profile] = tries.map(({ status }) => status === 'fulfilled');
      const after = await stored();
      expect([Boolean(both), Boolean(alone || profile)]).toEqual([!alone && !profile, !both]);
      expect(after.name).toBe(both ? names[1] : alone ? names[0] : before.name);
      expect(after.profile).toBe(both ? (other ?? '') : profile ? 'interface' : before.profile);
      expect(after.events - before.events).toBe(both ? 2 : Number(alone) + Number(profile));
      await setSetting('SECURITY_PROFILE', null, actor, now());
    }
    await changeBranding(plain, (await showBranding()).stored, actor, now());
  });

  test('none of several settings is changed if another admin changed one of them', async () => {
    const edits: SettingEdit[] = [
      { key: 'codeTtl', text: '40', seen: '' },
      { key: 'accessTokenTtl', text: '900', seen: '' },
    ];
    for (let round = 0; round < 8; round += 1) {
      const [several, one] = await Promise.allSettled([
        setSettings(edits, actor, now()),
        setSetting('ACCESS_TOKEN_TTL', '700', actor, now(), ''),
      ]);
      const held = Object.fromEntries(
        (await listSettings()).map(({ key, stored }) => [key, stored]),
      );
      const won = several.status === 'fulfilled';
      expect(one.status).toBe(won ? 'rejected' : 'fulfilled');
      expect([held.codeTtl, held.accessTokenTtl]).toEqual(won ? ['40', '900'] : ['', '700']);
      for (const name of ['CODE_TTL', 'ACCESS_TOKEN_TTL'])
        await setSetting(name, null, actor, now());
    }
  });
});
