import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import * as settings from '#lib/management/setting/settings.ts';
import { readSettings } from '#lib/store/settings.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf } from './people.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('a setting is changed by its name in any case, takes effect immediately, and can be reset to its default', async () => {
    expect((await readSettings()).requirePkce).toBe(false);
    const changed = await settings.setSetting('require_PKCE', 'ON', actor, now());
    expect(changed).toMatchObject({
      name: 'REQUIRE_PKCE',
      value: true,
      default: false,
      source: 'stored',
      fixed: false,
    });
    expect((await readSettings()).requirePkce).toBe(true);
    await settings.setSetting('CODE_TTL', '45', actor, now());
    expect((await readSettings()).codeTtl).toBe(45);
    expect(await settings.setSetting('require_pkce', null, actor, now())).toMatchObject({
      value: false,
      source: 'default',
    });
    const [last, , first] = (await listAudit({ type: 'setting.changed' })).rows;
    expect(first?.detail).toEqual({ name: 'REQUIRE_PKCE', before: false, after: 'ON' });
    expect(last?.detail).toEqual({ name: 'REQUIRE_PKCE', before: true, after: 'default' });
  });

  test('a wrong value, an unknown name and a setting of the operator are refused with a sentence', async () => {
    for (const value of ['', 'maybe', '2']) {
      expect(
        (await faultsOf(settings.setSetting('enforce_state', value, actor, now()))).enforceState,
      ).toContain('on or off');
    }
    for (const value of ['0', '-1', '1.5', '1e3', '9999999999', 'on']) {
      expect(
        (await faultsOf(settings.setSetting('code_ttl', value, actor, now()))).codeTtl,
      ).toContain('a time from 1 second');
    }
    expect((await faultsOf(settings.setSetting('nonsense', 'on', actor, now()))).name).toContain(
      'no setting',
    );
    const operators = await faultsOf(
      settings.setSetting('always_issue_new_refresh_token', 'off', actor, now()),
    );
    expect(operators.alwaysIssueNewRefreshToken).toContain('only be set in the environment');
  });

  test('several settings change together, or none when one of them cannot', async () => {
    const edit = (key: 'codeTtl' | 'enforceState', text: string | null, seen: string) => ({
      key,
      text,
      seen,
    });
    const wrong = [edit('codeTtl', '50', ''), edit('enforceState', 'maybe', '')];
    expect(Object.keys(await faultsOf(settings.setSettings(wrong, actor, now())))).toEqual([
      'enforceState',
    ]);
    expect((await readSettings()).codeTtl).not.toBe(50);

    const changed = await settings.setSettings(
      [edit('codeTtl', '50', '45'), edit('enforceState', null, '')],
      actor,
      now(),
    );
    expect(changed).toBe(1);
    expect((await readSettings()).codeTtl).toBe(50);
    expect(await settings.setSettings([edit('codeTtl', null, '50')], actor, now())).toBe(1);
    expect((await readSettings()).codeTtl).toBe(30);
  });

  test('a change of a setting that was changed meanwhile is refused', async () => {
    const stored = async () =>
      (await settings.listSettings()).find(({ key }) => key === 'accessTokenTtl')?.stored;
    expect(await stored()).toBe('');
    await settings.setSetting('access_token_ttl', '600', actor, now(), '');
    for (const seen of ['', '700']) {
      const late = settings.setSetting('access_token_ttl', '900', actor, now(), seen);
      expect(await faultsOf(late)).toEqual({
        seen: expect.stringContaining('Someone else changed'),
      });
    }
    const edits = [{ key: 'accessTokenTtl' as const, text: '900', seen: '' }];
    expect(await faultsOf(settings.setSettings(edits, actor, now()))).toHaveProperty('seen');
    expect(
      await faultsOf(settings.setSetting('access_token_ttl', null, actor, now(), '900')),
    ).toHaveProperty('seen');
    expect(await stored()).toBe('600');
    await settings.setSetting('access_token_ttl', '900', actor, now(), '600');
    expect(await stored()).toBe('900');
  });

  test('a change of an account setting that was changed meanwhile is refused', async () => {
    const edit = (text: string, seen: string) =>
      settings.setSettings([{ key: 'requireSecondFactor', text, seen }], actor, now());
    await edit('admins', '');
    expect(await faultsOf(edit('everyone', ''))).toEqual({
      seen: expect.stringContaining('Someone else changed'),
    });
    expect((await readSettings()).requireSecondFactor).toBe('admins');
    const raced = await Promise.allSettled([edit('everyone', 'admins'), edit('off', 'admins')]);
    expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('the security profile changes the defaults of the settings, but not those set explicitly', async () => {
    const { issuer, fixedSettings } = config();
    const row = async (key: string) =>
      (await settings.listSettings()).find((one) => one.key === key);
    await settings.setSetting('ENFORCE_REDIRECT_URI', 'off', actor, now());
    await settings.setSetting('security_profile', 'strict', actor, now());
    expect(await readSettings()).toMatchObject({
      profile: 'strict',
      requirePkce: true,
      acceptAccessTokenInQuery: false,
      enforceRedirectUri: false,
    });
    expect(await row('requirePkce')).toMatchObject({ value: true, default: true, byProfile: true });
    const loose = (await settings.listSettings()).filter(settings.isLooserThanProfile);
    expect(loose.map(({ key }) => key)).toEqual(['enforceRedirectUri']);
    // Two events of the same millisecond can come in either order.
    const events = (await listAudit({ type: 'setting.changed' })).rows;
    const event = events.find(({ detail }) => detail.name === 'SECURITY_PROFILE');
    expect(event?.detail).toEqual({
      name: 'SECURITY_PROFILE',
      before: 'interface',
      after: 'strict',
    });
    const raced = settings.setSettings(
      [{ key: 'profile', text: 'strict', seen: '' }],
      actor,
      now(),
    );
    expect(await faultsOf(raced)).toHaveProperty('seen');

    await settings.setSetting('SECURITY_PROFILE', 'Compatible', actor, now());
    expect((await settings.listSettings()).filter(settings.isLooserThanProfile)).toEqual([]);
    config().issuer = 'http://id.example.org';
    const plain = await faultsOf(settings.setSetting('SECURITY_PROFILE', 'Strict', actor, now()));
    expect(plain.profile).toContain('http://id.example.org. Put https in front');
    config().issuer = issuer;
    fixedSettings.profile = 'interface';
    const fixed = await faultsOf(settings.setSetting('SECURITY_PROFILE', 'strict', actor, now()));
    expect(fixed.profile).toContain('SECURITY_PROFILE is set by the environment');
    delete fixedSettings.profile;
    for (const name of ['SECURITY_PROFILE', 'ENFORCE_REDIRECT_URI'])
      await settings.setSetting(name, null, actor, now());
  });

  test('durations are entered and shown with units, and stored as seconds', async () => {
    const row = await settings.setSetting('CODE_TTL', '1.5 min', actor, now());
    expect(row).toMatchObject({ value: 90, stored: '90', storedSaid: '1 minute 30 seconds' });
    const unchanged = [{ key: 'codeTtl' as const, text: '90 seconds', seen: '90' }];
    expect(await settings.setSettings(unchanged, actor, now())).toBe(0);
    const wrong = await faultsOf(settings.setSetting('CODE_TTL', '3 fortnights', actor, now()));
    expect(wrong.codeTtl).toContain('“fortnights” isn’t a unit of time');
    await settings.setSetting('CODE_TTL', null, actor, now());
    const kept = await settings.setSetting('AUDIT_RETENTION_DAYS', '9 weeks', actor, now());
    expect(kept).toMatchObject({ value: 63, said: '63 days' });
    await settings.setSetting('AUDIT_RETENTION_DAYS', null, actor, now());
  });

  test('a setting fixed by the environment is shown and cannot be changed', async () => {
    config().fixedSettings.enforceState = true;
    expect(
      (await faultsOf(settings.setSetting('enforce_state', 'off', actor, now()))).enforceState,
    ).toContain('environment');
    const row = (await settings.listSettings()).find(({ key }) => key === 'enforceState');
    expect(row).toMatchObject({ source: 'environment', fixed: true });
  });
});
