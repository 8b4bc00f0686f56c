import { describe, expect, test } from 'vitest';
import { joinHosts, knownHosts, splitHosts } from '#lib/settings/known-hosts.ts';
import {
  defaultSetting,
  findSettingKey,
  parseAdminSetting,
  parseSetting,
  readSettingTexts,
  resolveSettings,
  settingKeys,
  settingTable,
} from '#lib/settings/table.ts';

// Every server setting, with its default in each profile.
type Value = boolean | number | string | readonly string[];
type Default = [name: string, loose: Value, strict: Value, operatorOnly?: true];
const defaults: Default[] = [
  ['SECURITY_PROFILE', 'interface', 'strict'],
  ['ENFORCE_REDIRECT_URI', false, true],
  ['ENFORCE_STATE', false, false],
  ['ALWAYS_ISSUE_NEW_REFRESH_TOKEN', true, true, true],
  ['REQUIRE_PKCE', false, true],
  ['REQUIRE_CLIENT_AUTH_ON_REFRESH', false, true],
  ['ACCEPT_REFRESH_PARAMS_IN_QUERY', true, false],
  ['ACCEPT_ACCESS_TOKEN_IN_QUERY', true, false],
  ['ALLOW_UNREGISTERED_REDIRECT_URI', true, false],
  ['REFUSE_UNKNOWN_RESOURCE', false, true],
  ['REQUIRE_PUSHED_AUTHORIZATION_REQUESTS', false, false],
  ['REQUIRE_DPOP_NONCE', false, false],
  ['REQUIRE_STRONG_CLIENTS', false, false],
  ['CODE_TTL', 30, 30],
  ['ACCESS_TOKEN_TTL', 3600, 3600],
  ['REFRESH_TOKEN_TTL', 2592000, 2592000],
  ['REFRESH_TOKEN_MAX_TTL', 15552000, 15552000],
  ...(
    [
      ['REGISTRATION', 'off'],
      ['REGISTRATION_DOMAINS', []],
      ['WEBFINGER_DOMAINS', []],
      ['CLIENT_DOCUMENT_HOSTS', []],
      ['CLIENT_REGISTRATION', 'off'],
      ['APPROVE_NEW_APPS', 'off'],
      ['REQUIRE_SECOND_FACTOR', 'off'],
      ['REMEMBER_DEVICE', 30],
      ['REMEMBER_DEVICE_OF_ADMINS', 'off'],
      ['NEW_DEVICE_MAIL', 'on'],
      ['MAIL_CODE', 'off'],
      ['PROOF_OF_WORK', 'attack'],
      ['PASSKEY_UPGRADE', 'on'],
      ['USERNAME_CHANGE', 'on'],
      ['APP_PASSWORDS', 'on'],
      ['ACCOUNT_DELETION', 7],
      ['UNUSED_ACCOUNT_DAYS', 0],
      ['UNUSED_ACCOUNT_NOTICE', 14],
      ['UNUSED_ACCOUNT_EXCEPT', []],
      ['UNUSED_ACCOUNT_SHARE', 5],
      ['AUDIT_RETENTION_DAYS', 400],
      ['TRACE_RETENTION_DAYS', 7],
      ['DELETED_RETENTION_DAYS', 14],
      ['SESSION_IDLE_TTL', 1209600],
      ['SESSION_MAX_TTL', 7776000],
      ['ADMIN_SESSION_IDLE_TTL', 43200],
      ['ADMIN_SESSION_MAX_TTL', 604800],
    ] as const
  ).map(([name, value]): Default => [name, value, value]),
];

test.each(defaults)('the defaults of the setting %s', (name, loose, strict, operatorOnly) => {
  const key = findSettingKey(name);
  if (!key) throw new Error('There is no such setting.');
  expect(resolveSettings({}, {})[key]).toEqual(loose);
  expect(resolveSettings({ profile: 'strict' }, {})[key]).toEqual(strict);
  expect(settingTable[key].operatorOnly).toBe(operatorOnly);
  expect(findSettingKey(name.toLowerCase())).toBe(key);
});

test('the profile fapi is strict, with strong clients and pushed authorization requests', () => {
  const [strict, fapi] = [
    resolveSettings({ profile: 'strict' }, {}),
    resolveSettings({ profile: 'fapi' }, {}),
  ];
  expect(fapi).toEqual({
    ...strict,
    profile: 'fapi',
    requirePushedAuthorizationRequests: true,
    requireStrongClients: true,
  });
  expect(parseSetting('profile', 'FAPI')).toBe('fapi');
});

test('SECURITY_PROFILE comes from the environment, or else from an admin', () => {
  expect(resolveSettings({}, { profile: 'strict' })).toMatchObject({
    profile: 'strict',
    requirePkce: true,
    acceptAccessTokenInQuery: false,
  });
  const told = resolveSettings({ profile: 'interface' }, { profile: 'strict' });
  expect(told).toMatchObject({ profile: 'interface', requirePkce: false });
  expect(parseSetting('profile', 'Compatible')).toBe('interface');
  expect(() => parseSetting('profile', 'lax')).toThrow(
    /SECURITY_PROFILE is "lax", and has to be interface/,
  );
});

test('the list of settings is complete, and unknown names are not found', () => {
  expect(settingKeys.map((key) => settingTable[key].name).sort()).toEqual(
    defaults.map(([name]) => name).sort(),
  );
  expect(findSettingKey('NONSENSE')).toBeNull();
  expect(findSettingKey('__proto__')).toBeNull();
});

test('each setting that is a number is shown as a duration, and each that is a word has its choices', () => {
  for (const key of settingKeys) {
    const { time, choices } = settingTable[key];
    const usual = defaultSetting(key, 'interface');
    if (typeof usual === 'number' && key !== 'unusedShare') expect(time, key).toBeDefined();
    if (typeof usual === 'string' && key !== 'profile')
      expect(choices?.map(String), key).toContain(usual);
  }
});

test('a setting from the environment wins over a stored one, and that over the profile', () => {
  expect(resolveSettings({ codeTtl: 1 }, { codeTtl: 2 }).codeTtl).toBe(1);
  expect(resolveSettings({}, { codeTtl: 2 }).codeTtl).toBe(2);
  expect(resolveSettings({ profile: 'strict' }, { requirePkce: false }).requirePkce).toBe(false);
});

describe('the value of a setting', () => {
  test.each([
    ['on', true],
    ['off', false],
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
    ['ON', true],
    [' Off ', false],
  ])('the switch %j is %s', (text, value) => {
    expect(parseSetting('requirePkce', text)).toBe(value);
  });

  test.each(['', 'yes', '2', 'onn', 'null'])(
    'the switch %j is refused, and the message names the setting',
    (text) => {
      expect(() => parseSetting('requirePkce', text)).toThrow(
        /REQUIRE_PKCE is ".*", and has to be on or off/,
      );
    },
  );

  test.each([
    ['1', 1],
    ['30', 30],
    ['315360000', 315360000],
    ['30s', 30],
    ['90 minutes', 5400],
    ['10 years', undefined],
  ])('the duration %s', (text, value) => {
    if (value) expect(parseSetting('codeTtl', text)).toBe(value);
    else expect(() => parseSetting('codeTtl', text)).toThrow(/“years” isn’t a unit of time/);
  });

  test.each(['', '0', '-1', '1.5', '1e3', '30x', '0x10', '315360001', '99999999999', 'NaN'])(
    'the duration %j is refused',
    (text) => {
      expect(() => parseSetting('codeTtl', text)).toThrow(
        /CODE_TTL is ".*", and has to be a time from 1 second to 10 years/,
      );
    },
  );

  test.each(['29', '1'])(
    'an admin may not keep the audit log for %s days; the environment may',
    (text) => {
      expect(() => parseAdminSetting('auditRetentionDays', text)).toThrow(
        /30 or more, or 0 for no limit/,
      );
      expect(readSettingTexts({ AUDIT_RETENTION_DAYS: text })).toEqual({
        auditRetentionDays: Number(text),
      });
      expect(resolveSettings({}, { auditRetentionDays: Number(text) })).toMatchObject({
        auditRetentionDays: 30,
      });
    },
  );

  test('0 for no limit passes the minimum of AUDIT_RETENTION_DAYS', () => {
    expect(parseAdminSetting('auditRetentionDays', '0')).toBe(0);
    expect(
      resolveSettings({ profile: 'strict' }, { auditRetentionDays: 0 }).auditRetentionDays,
    ).toBe(0);
  });
});

test('CLIENT_DOCUMENT_HOSTS: known hosts are chosen by name, others typed, and the order is kept', () => {
  expect(splitHosts(['x.example', 'vscode.dev', 'claude.ai'])).toEqual({
    known: ['claude.ai'],
    others: ['x.example', 'vscode.dev'],
  });
  const both = ['vscode.dev insiders.vscode.dev', 'claude.ai'];
  expect(joinHosts(both, 'x.example,  *.y.example', 'x.example,claude.ai,gone.example')).toBe(
    'x.example, claude.ai, vscode.dev, insiders.vscode.dev, *.y.example',
  );
  expect(joinHosts([], ' ', 'claude.ai')).toBe('');
  for (const { hosts } of knownHosts)
    expect(parseSetting('clientDocumentHosts', hosts.join(','))).toEqual(hosts);
});

test.each([
  ['claude.ai, *.example.org', ['claude.ai', '*.example.org']],
  ['ANY', ['any']],
  ['any claude.ai any', ['any', 'claude.ai']],
  ['', []],
])('CLIENT_DOCUMENT_HOSTS takes %j', (text, hosts) => {
  expect(parseSetting('clientDocumentHosts', text)).toEqual(hosts);
});

test.each(['localhost', '127.0.0.1', 'https://claude.ai', 'claude.ai/x', '*', '*.', 'a.*.example'])(
  'CLIENT_DOCUMENT_HOSTS refuses %j',
  (text) => {
    expect(() => parseSetting('clientDocumentHosts', text)).toThrow(/hosts separated by commas/);
  },
);
