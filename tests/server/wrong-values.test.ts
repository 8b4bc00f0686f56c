import { expect, test } from 'vitest';
import { configNames, parseConfig } from '#lib/config.ts';
import { settingKeys, settingTable } from '#lib/settings/table.ts';

/** Paths and names: every text is one. */
const anyText = new Set(
  'HOST SETTINGS_DIR DATA_DIR BREACHED_PASSWORDS DIRECTORIES_FILE LDAP_HOST LDAP_CERTIFICATE LDAP_KEY CONFIG_FILE BACKUP_DIR OTEL_SERVICE_NAME UNUSED_ACCOUNT_EXCEPT'.split(
    ' ',
  ),
);
/** Values that are secret or can hold a secret are not repeated. */
const secret =
  /^(DATABASE_URL|SERVER_SECRET|MAIL_URL|BACKUP_PASSPHRASE|METRICS_TOKEN|PROXY_SECRET|OTEL_EXPORTER_OTLP_(ENDPOINT|HEADERS))/;
const names = [...configNames, ...settingKeys.map((key) => settingTable[key].name)].filter(
  (name) => !anyText.has(name) && !/_FILE$|^NODE_ENV$/.test(name),
);

function refusalOf(name: string, value: string): string | null {
  try {
    const own = { DATA_DIR: '/nowhere', DATABASE_URL: 'file:/nowhere/own.db' };
    parseConfig({ ...own, SERVER_SECRET: 's'.repeat(40), [name]: value });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(names.filter((name) => !secret.test(name)))(
  '%s: a wrong value is quoted, and then what it has to be',
  (name) => {
    expect(refusalOf(name, 'wrong')).toMatch(
      new RegExp(`^${name} (is|has) "wrong"(, and| in it, and) has to be `),
    );
  },
);

test.each(names.filter((name) => secret.test(name)))(
  '%s: a wrong value is not repeated',
  (name) => {
    expect(refusalOf(name, 'wr-1') ?? '').not.toContain('wr-1');
  },
);
