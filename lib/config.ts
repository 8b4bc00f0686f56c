import crypto from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopbackHost } from './oauth/redirect-uri.ts';
import { digest } from './oauth/secrets.ts';
import { once } from './once.ts';
import { readEmail } from './people/email.ts';
import {
  databaseIn,
  dataFolderOf,
  leftBehind,
  ownSecretIn,
  settingsFolderOf,
} from './settings/data-folder.ts';
import { issuerAt } from './settings/default-issuer.ts';
import { type Range, readRange } from './settings/ip-address.ts';
import { baseDnOf, type LdapConfig, readBaseDn } from './settings/ldap.ts';
import { fileVariable, secretNames, withSecretFiles } from './settings/secret-files.ts';
import { parseSecurityContact } from './settings/security-contact.ts';
import { readSettingTexts, type Settings } from './settings/table.ts';
import { parseTelemetry, type TelemetryConfig } from './settings/telemetry.ts';
import { NotText, readTextFile } from './settings/text-file.ts';

/** Everything the operator configures, read once from the environment. */
export type Config = {
  /**
   * The public base address: an origin without trailing slash. With `PORT=0` the server sets it
   * once it is listening.
   */
  issuer: string;
  host: string;
  port: number;
  databaseUrl: string;
  database: 'sqlite' | 'postgresql';
  /** The maximum number of connections to PostgreSQL per process. */
  databasePoolSize: number;
  /**
   * The region number in the tokens made here, for several servers with separate databases behind
   * one proxy.
   */
  region: number;
  /** Milliseconds after which PostgreSQL stops waiting for a lock, and aborts a statement. */
  databaseLimits: { lock: number; statement: number };
  dataDir: string;
  /** The current server secret first, then the ones it replaced. */
  serverSecrets: string[];
  /** The operator's files that secrets were read from. */
  secretFiles: string[];
  bcryptCost: number;
  /** The operator's file of passwords known from breaches; null: there is no such file. */
  breachedPasswords: string | null;
  /** The operator's file of directories (LDAP) whose people sign in here; null: no such file. */
  directoriesFile: string | null;
  ldap: LdapConfig;
  /** The algorithm that hashes passwords from now on. */
  passwordHash: 'bcrypt' | 'argon2id';
  /**
   * Failed requests allowed per 15 minutes: from one client at one address, and from one address in
   * all. 0: no limit.
   */
  failedRequests: { perClient: number; perAddress: number };
  /** The maximum number of open connections, in all and per address. */
  connections: { inAll: number; perAddress: number };
  trustedProxies: Range[];
  /** The digest of what proves a proxy that asks for guarded apps; null: none does. */
  proxySecretHash: string | null;
  /** Settings that the environment fixes, so that no one can change them at run time. */
  fixedSettings: Partial<Settings>;
  mail: MailConfig;
  production: boolean;
  /** Whether back-channel logout may call addresses inside the operator's network. */
  backchannelToPrivateAddresses: boolean;
  /** Whether clients' metadata documents may be hosted inside the operator's network. */
  clientDocumentsFromPrivateAddresses: boolean;
  providersAtPrivateAddresses: boolean;
  /** Where to report a vulnerability; null: no contact is published. */
  securityContact: string | null;
  logLevel: string;
  /** Where and how often backups are made, and how many are kept; null: none are made. */
  backups: { folder: string; hours: number; keep: number; passphrase: string | null } | null;
  /** The configuration file that is applied at startup; null: none. */
  configFile: string | null;
  /** Whether startup may remove what that file no longer names. */
  configFileRemoves: boolean;
  /**
   * Who may read the metrics: anyone with the token or, where the token is null, this machine
   * alone. null: metrics are off.
   */
  metrics: { token: string | null } | null;
  /** Where spans are sent; null: they are not sent. */
  telemetry: TelemetryConfig | null;
  /** How many processes share the work. */
  workers: number;
  /** Seconds for which a stopping process announces that it stops, and still answers. */
  stopDelay: number;
  /** Seconds after that in which requests in progress may finish. */
  stopTimeout: number;
};

/**
 * How mail is sent. Without a mail server, mail is shown in the outbox in development and not even
 * written in production.
 */
type MailConfig = {
  url: string | null;
  from: { name: string; address: string };
  /** MAIL_FROM is not set. */
  fromIsGuessed: boolean;
};

/** A wrong or missing variable, explained to the operator in a sentence. */
export class ConfigError extends Error {}

/** The folder of this copy of Gatehouse, which is the working directory at startup. */
export const projectRoot = process.cwd();

/** Resolves a path from the operator's configuration. */
const ownPath = (path: string): string =>
  resolve(/* turbopackIgnore: true */ settingsFolderOf(process.env, projectRoot), path);
const blankIsUnset = (value: unknown) => (value === '' ? undefined : value);
const optional = z.preprocess(blankIsUnset, z.string().optional());

const integer = (low: number, high: number, fallback: number) =>
  z.preprocess(
    blankIsUnset,
    z
      .string()
      .regex(/^\d+$/, `a whole number from ${low} to ${high}`)
      .transform(Number)
      .pipe(
        z
          .number()
          .min(low, `a whole number from ${low} to ${high}`)
          .max(high, `a whole number from ${low} to ${high}`),
      )
      .default(fallback),
  );

const environment = z.object({
  ISSUER: optional,
  HOST: z.preprocess(blankIsUnset, z.string().default('127.0.0.1')),
  PORT: integer(0, 65535, 3000),
  SETTINGS_DIR: optional,
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: integer(2, 1000, 10),
  REGION: integer(0, 255, 0),
  DATABASE_LOCK_TIMEOUT: integer(1, 30, 4),
  DATABASE_STATEMENT_TIMEOUT: integer(2, 120, 15),
  DATA_DIR: z.preprocess(blankIsUnset, z.string().default('data')),
  SERVER_SECRET: optional,
  SERVER_SECRET_PREVIOUS: optional,
  BCRYPT_COST: integer(4, 15, 10),
  PASSWORD_HASH: z.preprocess(
    blankIsUnset,
    z.enum(['bcrypt', 'argon2id'], { error: 'bcrypt or argon2id' }).default('bcrypt'),
  ),
  BREACHED_PASSWORDS: optional,
  DIRECTORIES_FILE: optional,
  LDAP_HOST: optional,
  LDAP_PORT: integer(0, 65535, 0),
  LDAPS_PORT: integer(0, 65535, 0),
  LDAP_CERTIFICATE: optional,
  LDAP_KEY: optional,
  LDAP_WITHOUT_TLS_FROM: z.preprocess(blankIsUnset, z.string().default('')),
  LDAP_BASE_DN: optional,
  LDAP_POSIX: z.preprocess(
    blankIsUnset,
    z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  ),
  FAILED_REQUESTS_PER_CLIENT: integer(0, 1_000_000, 30),
  FAILED_REQUESTS_PER_ADDRESS: integer(0, 1_000_000, 300),
  MAX_CONNECTIONS: integer(10, 1_000_000, 5000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000, 250),
  TRUSTED_PROXIES: z.preprocess(blankIsUnset, z.string().default('')),
  MAIL_URL: optional,
  MAIL_FROM: optional,
  LOG_LEVEL: z.preprocess(
    blankIsUnset,
    z
      .enum(['silent', 'error', 'warn', 'info', 'debug'], {
        error: 'silent, error, warn, info or debug',
      })
      .default('info'),
  ),
  BACKCHANNEL_TO_PRIVATE_ADDRESSES: z.preprocess(
    blankIsUnset,
    z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  ),
  CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: z.preprocess(
    blankIsUnset,
    z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  ),
  PROVIDERS_AT_PRIVATE_ADDRESSES: z.preprocess(
    blankIsUnset,
    z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  ),
  SECURITY_CONTACT: optional,
  CONFIG_FILE: optional,
  CONFIG_FILE_REMOVES: z.preprocess(
    blankIsUnset,
    z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  ),
  BACKUP_DIR: optional,
  BACKUP_EVERY_HOURS: integer(1, 24 * 31, 24),
  BACKUP_KEEP: integer(1, 1000, 7),
  BACKUP_PASSPHRASE: optional,
  METRICS: z.preprocess(
    blankIsUnset,
    z.enum(['off', 'loopback', 'token'], { error: 'off, loopback or token' }).default('off'),
  ),
  METRICS_TOKEN: optional,
  PROXY_SECRET: optional,
  OTEL_EXPORTER_OTLP_ENDPOINT: optional,
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_SERVICE_NAME: z.preprocess(blankIsUnset, z.string().max(100).default('gatehouse')),
  WORKERS: integer(1, 64, 1),
  STOP_DELAY: integer(0, 600, 2),
  STOP_TIMEOUT: integer(0, 600, 6),
  NODE_ENV: optional,
});

/** The variables read here, besides the settings. lib/settings/operator.ts describes each one. */
export type ConfigName = keyof typeof environment.shape;
/** These, and the variables that name a file holding a secret (`NAME_FILE`). */
export const configNames: string[] = [
  ...Object.keys(environment.shape),
  ...secretNames.map(fileVariable),
];

/** The values of variables that are not set. */
export const configDefaults = (): z.infer<typeof environment> => environment.parse({});

/** The configuration of this process, parsed at the first call. @throws ConfigError */
export function config(): Config {
  return once('config', () => parseConfig(process.env));
}

/** Says what a variable is, and what it has to be. */
const wrongValue = (name: string, value: string, wanted: string) =>
  `${name} is ${JSON.stringify(value.slice(0, 100))}, and has to be ${wanted}.`;

/** Parses an environment. @throws ConfigError naming the variable and what it accepts */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const { env: read, files } = readSecretFiles(env);
  const parsed = environment.safeParse(read);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(wrongValue(name, read[name] ?? '', issue?.message ?? ''));
  }
  const values = parsed.data;
  const fixedSettings = readFixedSettings(env);
  const lost = leftBehind(read, projectRoot);
  if (lost) throw new ConfigError(lost);
  const dataDir = dataFolderOf(read, projectRoot);
  const databaseUrl = parseDatabaseUrl(values.DATABASE_URL ?? databaseIn(dataDir));
  const issuer = parseIssuer(
    values.ISSUER ?? issuerAt(values.PORT),
    fixedSettings.profile ?? 'interface',
  );
  return {
    issuer,
    host: values.HOST,
    port: values.PORT,
    databaseUrl,
    database: databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql',
    databasePoolSize: values.DATABASE_POOL_SIZE,
    region: values.REGION,
    databaseLimits: readDatabaseLimits(values),
    dataDir,
    serverSecrets: readServerSecrets(values, dataDir),
    secretFiles: files,
    bcryptCost: values.BCRYPT_COST,
    passwordHash: readPasswordHash(values.PASSWORD_HASH),
    breachedPasswords: ownFile(values.BREACHED_PASSWORDS),
    directoriesFile: ownFile(values.DIRECTORIES_FILE),
    ldap: readLdap(values, issuer),
    failedRequests: {
      perClient: values.FAILED_REQUESTS_PER_CLIENT,
      perAddress: values.FAILED_REQUESTS_PER_ADDRESS,
    },
    connections: {
      inAll: values.MAX_CONNECTIONS,
      perAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    },
    trustedProxies: parseRanges('TRUSTED_PROXIES', values.TRUSTED_PROXIES),
    proxySecretHash: readProxySecret(values.PROXY_SECRET),
    fixedSettings,
    mail: {
      url: parseMailUrl(values.MAIL_URL),
      from: parseMailFrom(values.MAIL_FROM, issuer),
      fromIsGuessed: values.MAIL_FROM === undefined,
    },
    backchannelToPrivateAddresses: values.BACKCHANNEL_TO_PRIVATE_ADDRESSES === 'on',
    clientDocumentsFromPrivateAddresses: values.CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES === 'on',
    providersAtPrivateAddresses: values.PROVIDERS_AT_PRIVATE_ADDRESSES === 'on',
    production: values.NODE_ENV === 'production',
    securityContact: readSecurityContact(values.SECURITY_CONTACT),
    logLevel: values.LOG_LEVEL,
    configFile: ownFile(values.CONFIG_FILE),
    configFileRemoves: values.CONFIG_FILE_REMOVES === 'on',
    backups: readBackups(values),
    metrics: readMetrics(values, issuer),
    telemetry: readTelemetry(values),
    workers: values.WORKERS,
    stopDelay: values.STOP_DELAY,
    stopTimeout: values.STOP_TIMEOUT,
  };
}

const ownFile = (path: string | undefined): string | null =>
  path === undefined ? null : ownPath(path);

function readLdap(values: z.infer<typeof environment>, issuer: string): LdapConfig {
  const { LDAP_PORT: port, LDAPS_PORT: tlsPort, LDAP_CERTIFICATE: file, LDAP_KEY: key } = values;
  if ((file === undefined) !== (key === undefined))
    throw new ConfigError('LDAP_CERTIFICATE and LDAP_KEY belong together: set both, or neither.');
  if (tlsPort !== 0 && (file === undefined || key === undefined))
    throw new ConfigError('LDAPS_PORT needs LDAP_CERTIFICATE and LDAP_KEY.');
  const { LDAP_BASE_DN: given = baseDnOf(new URL(issuer).hostname) } = values;
  const baseDn = readBaseDn(given);
  if (baseDn === null)
    throw new ConfigError(wrongValue('LDAP_BASE_DN', given, 'a DN such as dc=example,dc=org'));
  return {
    host: values.LDAP_HOST ?? values.HOST,
    port: port || null,
    tlsPort: tlsPort || null,
    certificate:
      file === undefined || key === undefined
        ? null
        : { certificate: ownPath(file), key: ownPath(key) },
    plainFrom: parseRanges('LDAP_WITHOUT_TLS_FROM', values.LDAP_WITHOUT_TLS_FROM),
    baseDn,
    posix: values.LDAP_POSIX === 'on',
  };
}

function readBackups(values: z.infer<typeof environment>): Config['backups'] {
  const passphrase = values.BACKUP_PASSPHRASE ?? null;
  if (passphrase !== null && passphrase.length < 10)
    throw new ConfigError('BACKUP_PASSPHRASE needs at least 10 characters.');
  if (values.BACKUP_DIR === undefined) return null;
  return {
    folder: ownPath(values.BACKUP_DIR),
    hours: values.BACKUP_EVERY_HOURS,
    keep: values.BACKUP_KEEP,
    passphrase,
  };
}

function readDatabaseLimits(values: z.infer<typeof environment>): Config['databaseLimits'] {
  const { DATABASE_LOCK_TIMEOUT: lock, DATABASE_STATEMENT_TIMEOUT: statement } = values;
  if (statement <= lock)
    throw new ConfigError(
      `DATABASE_STATEMENT_TIMEOUT is ${statement}, but a statement may wait ${lock} s for a lock (DATABASE_LOCK_TIMEOUT): set it to at least ${lock + 1}.`,
    );
  return { lock: lock * 1000, statement: statement * 1000 };
}

function readPasswordHash(name: Config['passwordHash']): Config['passwordHash'] {
  if (name === 'argon2id' && typeof crypto.argon2Sync !== 'function')
    throw new ConfigError('PASSWORD_HASH=argon2id needs Node.js 24.7 or later.');
  return name;
}

function readMetrics(values: z.infer<typeof environment>, issuer: string): Config['metrics'] {
  const { METRICS: access, METRICS_TOKEN: token = '' } = values;
  if (access === 'off') {
    if (token === '') return null;
    throw new ConfigError(
      'METRICS_TOKEN is set and METRICS is off. Set METRICS=token, or remove it.',
    );
  }
  if (access === 'loopback') {
    if (!isLoopbackHost(new URL(issuer).hostname))
      throw new ConfigError(
        'METRICS=loopback is for a server whose ISSUER is an address of this machine alone: behind a proxy that does not forward the address of the browser, anyone could read the metrics. Use METRICS=token with METRICS_TOKEN.',
      );
    return { token: null };
  }
  if (!/^[A-Za-z0-9._~+/=-]{20,}$/.test(token))
    throw new ConfigError(
      'METRICS=token needs METRICS_TOKEN (or METRICS_TOKEN_FILE) with at least 20 letters and digits; "openssl rand -hex 24" makes one.',
    );
  return { token };
}

function readSecurityContact(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return parseSecurityContact(text);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readTelemetry(values: z.infer<typeof environment>): TelemetryConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return null;
  try {
    return parseTelemetry(endpoint, headers ?? '', values.OTEL_SERVICE_NAME);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/**
 * RFC 8414 section 2 allows an issuer with a path. Here it is an origin, so that every address is
 * one concatenation.
 */
function parseIssuer(text: string, profile: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === 'null')
    throw new ConfigError(
      wrongValue(
        'ISSUER',
        text,
        'the public address of this server, such as https://id.example.com: scheme and host, no path, no trailing slash',
      ),
    );
  if (url.origin !== text)
    throw new ConfigError(
      `ISSUER is "${text}", and ${issuerFault(text, url)}: set ISSUER=${url.origin}.`,
    );
  if (profile !== 'interface' && isPlainHttp(url))
    throw new ConfigError(
      `ISSUER is "${text}", and SECURITY_PROFILE=${profile} allows http on this machine alone (localhost): set ISSUER=https://${url.host}.`,
    );
  return text;
}

/** Names the rule that an almost valid issuer breaks. */
function issuerFault(text: string, url: URL): string {
  const usual = url.protocol === 'https:' ? 443 : 80;
  if (url.username || url.password) return 'has a user name in it, which it cannot have';
  if (url.search || url.hash) return 'has a query or fragment, which it cannot have';
  if (url.pathname !== '/') return 'has a path, which it cannot have';
  if (text.endsWith('/')) return 'ends with a slash, which it must not';
  if (/:\d*$/.test(text) && url.port === '')
    return `names port ${usual}, which browsers leave out for ${url.protocol}//`;
  if (text !== text.toLowerCase()) return 'has capitals, where browsers write small letters';
  return 'browsers write this address in another way';
}

/** Whether this address sends passwords over a network unencrypted. */
export const isPlainHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && !isLoopbackHost(hostname);

/** Parses DATABASE_URL; the path of an SQLite database becomes absolute. @throws ConfigError */
export function parseDatabaseUrl(text: string): string {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (!isAddress(text))
      throw new ConfigError(
        'DATABASE_URL cannot be read as an address. Percent-encode special characters in the password, as %23 for #, %2F for /, %3F for ?, %40 for @ and %25 for %: postgresql://USER:PASSWORD@HOST/NAME.',
      );
    return text;
  }
  if (!text.startsWith('file:') || text === 'file:') {
    throw new ConfigError(
      // The value can hold a password.
      'DATABASE_URL has to be file:PATH for SQLite or postgresql://USER:PASSWORD@HOST/NAME for PostgreSQL.',
    );
  }
  const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return `file:${ownPath(path)}`;
}

/** A password with # or / can leave an address that looks sound: what follows it has the @ then. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  try {
    if (url === null || /@/.test(url.pathname + url.hash)) return false;
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

function readServerSecrets(values: z.infer<typeof environment>, dataDir: string): string[] {
  const previous = (values.SERVER_SECRET_PREVIOUS ?? '')
    .split(/[,\n]/)
    .map((text) => text.trim())
    .filter(Boolean);
  const secrets = [values.SERVER_SECRET ?? readOwnSecret(dataDir), ...previous];
  if (secrets.some((secret) => secret.length < 32)) {
    throw new ConfigError(
      'SERVER_SECRET (and each SERVER_SECRET_PREVIOUS) needs at least 32 characters; "openssl rand -base64 48" makes one.',
    );
  }
  return secrets;
}

/** The secret that this server generated itself. */
function readOwnSecret(dataDir: string): string {
  const path = ownSecretIn(dataDir);
  if (!existsSync(path)) {
    throw new ConfigError(
      `SERVER_SECRET is not set and the data folder holds no secret at ${path}. "npm start" makes one.`,
    );
  }
  try {
    return readTextFile(path).trim();
  } catch (error) {
    if (error instanceof NotText) throw new ConfigError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The secret in ${path} cannot be read (${code}). Give the user that runs this server the right to read it.`,
    );
  }
}

function readSecretFiles(env: Record<string, string | undefined>) {
  try {
    return withSecretFiles(env, projectRoot);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readProxySecret(text = ''): string | null {
  if (text === '') return null;
  if (/^[A-Za-z0-9._~+/=-]{32,}$/.test(text)) return digest(text);
  throw new ConfigError(
    'PROXY_SECRET (or PROXY_SECRET_FILE) needs at least 32 letters and digits; "openssl rand -hex 32" makes one.',
  );
}

function parseRanges(name: ConfigName, text: string): Range[] {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  return entries.map((entry) => {
    const range = readRange(entry);
    if (range) return range;
    throw new ConfigError(
      `${name} has "${entry}" in it, and has to be a list of addresses or CIDR ranges.`,
    );
  });
}

function readFixedSettings(env: Record<string, string | undefined>): Partial<Settings> {
  try {
    return readSettingTexts(env);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function parseMailUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) {
    // The value holds a password, so the message does not repeat it.
    throw new ConfigError(
      'MAIL_URL has to be smtp://USER:PASSWORD@HOST:PORT, or smtps://… for TLS from the start.',
    );
  }
  return text;
}

function parseMailFrom(text: string | undefined, issuer: string): MailConfig['from'] {
  const { hostname } = new URL(issuer);
  if (text === undefined) return { name: '', address: `no-reply@${hostname}` };
  const parts = /^(?:([^<>\p{C}]*)<)?([^<>]+)>?$/u.exec(text.trim());
  const address = addressOfSender(parts?.[2] ?? '');
  if (!parts || !address || text.includes('<') !== text.includes('>')) {
    throw new ConfigError(
      wrongValue(
        'MAIL_FROM',
        text,
        'an address such as no-reply@example.org or Gatehouse <no-reply@example.org>',
      ),
    );
  }
  return { name: (parts[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address };
}

/** Mail within one network may come from a host without a domain. */
function addressOfSender(text: string): string | null {
  const host = /@([a-z0-9-]{1,63})$/i.exec(text.trim())?.[1];
  const read = readEmail(host === undefined ? text : `${text.trim()}.example`);
  return host === undefined ? read : (read?.slice(0, -'.example'.length) ?? null);
}

/** The running version of Gatehouse, from package.json. */
export function gatehouseVersion(): string {
  const path = resolve(/* turbopackIgnore: true */ projectRoot, 'package.json');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: string };
  return version ?? 'unknown';
}
