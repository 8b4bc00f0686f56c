import cluster from 'node:cluster';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, config } from '../config.ts';
import { directories, unencryptedServers } from '../identity/directory/configured.ts';
import { ensureSigningKeys } from '../identity/signing.ts';
import { ensureTokenKeys } from '../identity/token-keys.ts';
import { resealProviderSecrets } from '../identity/upstream/secret.ts';
import { startJobs } from '../jobs.ts';
import { derivedKeys } from '../sealed/seal.ts';
import { ownSecretIn } from '../settings/data-folder.ts';
import { claimedIssuer } from '../settings/default-issuer.ts';
import { addEnvFile, keepsNextFromEnvFiles } from '../settings/env-file.ts';
import { auditTypes } from '../store/audit-entry.ts';
import { closeStore } from '../store/engine/database.ts';
import { claimIssuer } from '../store/engine/presence.ts';
import { noteIssuer } from '../store/issuer-change.ts';
import { noteOperatorSettings } from '../store/operator-settings.ts';
import { log } from '../telemetry/log.ts';
import { startMetrics } from '../telemetry/metrics.ts';
import { spans, startSpans } from '../telemetry/spans.ts';
import { kindOf } from '../tooling/connection.ts';
import { applyMigrations, otherIssuer } from '../tooling/migrate.ts';
import { migrationNames, migrationsRoot } from '../tooling/migrations.ts';
import { besideServer, keepPidFile } from '../tooling/pid-file.ts';
import { ensureServerSecret } from '../tooling/secret.ts';
import { answer } from './answer.ts';
import { whenAtRest } from './at-rest.ts';
import { Connections } from './connections.ts';
import { checkBackupFolder, closeToOthers, warnIfOpen } from './files.ts';
import { greet } from './greet.ts';
import { LdapServer } from './ldap.ts';
import { checkNames } from './misspelt.ts';
import { Pages } from './pages.ts';
import { type ProcessRole, placeVariable, processRole, tellPrimary } from './process-role.ts';
import { shareMetrics } from './relayed-metrics.ts';
import { exitCodeOf, startFailure } from './start-failure.ts';
import { stopOnSignal } from './stopping.ts';
import { warmUp } from './warm-up.ts';

/** Longer than proxies keep idle connections (Caddy: two minutes): none closes in use. */
const keepAliveTimeout = 125_000;

try {
  await start();
} catch (error) {
  const sentence = await startFailure(error);
  console.error(sentence ? `Gatehouse cannot start: ${sentence}` : error);
  process.exit(exitCodeOf(error));
}

/** The production server: endpoints run directly on node:http, Next.js serves everything else. */
async function start(): Promise<void> {
  // Files created from here on contain secrets or personal data, so only their owner may read them.
  process.umask(0o077);
  // An unhandled 'error' event would end the process, or be printed and fail again.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const role = processRole(process.env);
  const settings = loadSettings(role);
  await prepareDatabase(settings, role);
  await measure();
  await startSpans();
  setActionKey();
  const pages = new Pages();
  const server = createServer({ maxHeaderSize: 32 * 1024, keepAliveTimeout });
  const connections = new Connections(server, (...asked) => answer(...asked, pages));
  // The first worker tolerates a database that is away, because no other process serves yet.
  const isBorne = (status: number) => role === 'first' && status === 503;
  if (role !== 'alone') await warmUp(server, new URL(settings.issuer).host, isBorne);
  // Applied last, so that a worker that fails to start for another reason has changed nothing.
  if (role !== 'further' && settings.configFile !== null) await applyFile();
  const port = await listen(server, settings);
  const ldap = await LdapServer.start();
  const beside = role === 'alone' ? besideServer(keepPidFile(settings.dataDir)) : null;
  if (beside) warn(beside);
  const jobs = await startJobs();
  stopOnSignal({
    connections,
    ldap,
    delay: settings.stopDelay * 1000,
    timeout: settings.stopTimeout * 1000,
    rest: jobs.rest,
    finish: async () => {
      await jobs.leave();
      await pages.close();
      await closeStore();
      await spans()?.flush();
    },
  });
  if (role === 'alone' || role === 'first') await greet(port);
  tellPrimary({ is: 'ready' });
  whenAtRest(() => pages.getReady());
}

async function applyFile(): Promise<void> {
  const { applyConfigFile } = await import('../config-file/at-start.ts');
  await applyConfigFile(process.env);
}

/** Otherwise Next.js would use the key in its build, which everyone with the build has. */
function setActionKey(): void {
  const [key = new Uint8Array()] = derivedKeys('server-actions');
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = Buffer.from(key).toString('base64');
}

/** Warns about settings that may not be what the operator meant. */
function loadSettings(role: ProcessRole): Config {
  // A worker receives the contents of the file from the primary.
  if (role === 'alone') addEnvFile(process.env, process.cwd(), warn);
  Object.assign(process.env, keepsNextFromEnvFiles);
  ensureServerSecret(process.env);
  const settings = config();
  const warnings = checkNames(process.env);
  if (role !== 'further') for (const warning of warnings) warn(warning);
  for (const url of unencryptedServers(directories()))
    log().warn({ server: url }, 'passwords travel to this directory as they are: use ldaps://');
  return settings;
}

function warn(sentence: string): void {
  console.warn(`WARNING: ${sentence}`);
}

/** Migrates the database to this version, and writes what the server needs in it. */
async function prepareDatabase(settings: Config, role: ProcessRole): Promise<void> {
  const { databaseUrl, backups } = settings;
  const starts = role === 'alone' || role === 'first';
  const others = starts ? 'by-leases' : 'certain';
  const issuer = starts ? claimedIssuer(settings) : null;
  const began = performance.now();
  const applied = await applyMigrations(databaseUrl, migrationsRoot, others, issuer);
  const other = issuer === null ? null : await claimIssuer(issuer, new Date());
  if (issuer !== null && other !== null)
    throw otherIssuer(issuer, `starts on this database for ${other}`);
  const updated = broughtUpToDate(databaseUrl, applied.length, performance.now() - began);
  if (updated) console.log(updated);
  if (backups) checkBackupFolder(backups.folder);
  closeFiles();
  await ensureSigningKeys(new Date());
  await ensureTokenKeys(new Date());
  for (const { name } of await resealProviderSecrets())
    log().warn(
      { provider: name },
      'the secret of a provider is sealed with another SERVER_SECRET: enter it again',
    );
  await noteOperatorSettings(new Date());
  await noteIssuer(new Date());
}

/** What a start has done to tables that were there; null if it made them all, or changed none. */
function broughtUpToDate(databaseUrl: string, changes: number, took: number): string | null {
  const kind = kindOf(databaseUrl);
  if (changes === 0 || changes === migrationNames(kind).length) return null;
  const { host, pathname } = new URL(databaseUrl);
  const seconds = (took / 1000).toFixed(1);
  return `The database ${host}${pathname} was brought up to date: ${changes} ${changes === 1 ? 'change' : 'changes'} in ${seconds} s.`;
}

/** Accepts requests from here on. Returns the port, and puts it into the settings. */
async function listen(server: Server, settings: Config): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  if (settings.port === 0 && !process.env.ISSUER) settings.issuer = `http://localhost:${port}`;
  settings.port = port;
  return port;
}

/** Starts the metrics. A worker reports its own under its place, and asks the others for theirs. */
async function measure(): Promise<void> {
  const meter = await startMetrics();
  meter?.mayHappen(auditTypes);
  const place = process.env[placeVariable];
  if (!meter || !cluster.isWorker || place === undefined) return;
  meter.others = shareMetrics(() => meter.part(place));
  meter.place = place;
}

/**
 * Files made by an older version or another program may be readable by every user of the machine.
 */
function closeFiles(): void {
  const { database, databaseUrl, dataDir, secretFiles } = config();
  const file = databaseUrl.slice('file:'.length);
  closeToOthers([
    ...(database === 'sqlite' ? [file, `${file}-wal`, `${file}-shm`] : []),
    ownSecretIn(dataDir),
  ]);
  for (const secret of secretFiles) warnIfOpen(secret);
}
