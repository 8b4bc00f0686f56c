import { backupState } from '../backup/schedule.ts';
import { config } from '../config.ts';
import { judge } from '../mail/test-letter.ts';
import { verifyMailServer } from '../mail/transport.ts';
import { findTooWeak } from '../management/client/strength.ts';
import { failedLogoutText } from '../messages/failed-logout.ts';
import { issuerChangeFix, issuerChangeText } from '../messages/issuer-change.ts';
import { defaultLocale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { agentsOfNobody } from '../store/contacts.ts';
import { readIssuerChange } from '../store/issuer-change.ts';
import { listKeys, signingAlgs } from '../store/keys.ts';
import { failedLogouts } from '../store/logout-deliveries.ts';
import { readSettings } from '../store/settings.ts';
import { type Finding, fine, said, trouble, warning } from './finding.ts';

const text = textIn(defaultLocale);
const day = 86_400_000;
/** A running server replaces keys after 90 days by itself. */
const oldKey = 100 * day;

/** Keys, backups, mail, leftovers of another issuer, apps, agents and sign-outs. */
export async function examineUpkeep(now: Date): Promise<Finding[]> {
  return [
    await examineKeys(now),
    await examineBackups(now),
    await examineMail(),
    await examineIssuer(),
    await examineApps(),
    await examineAgents(),
    await examineLogouts(),
  ];
}

/** Apps and passkeys of an address that the server no longer has. */
async function examineIssuer(): Promise<Finding> {
  const change = await readIssuerChange();
  return change
    ? warning('issuer', issuerChangeText(text, change), issuerChangeFix(text, change.previous))
    : fine('issuer', 'No app and no passkey is left from another address.');
}

/** Apps that must meet the strong profile but cannot: people who use them are refused. */
async function examineApps(): Promise<Finding> {
  const { count, names } = await findTooWeak(await readSettings());
  if (count === 0) return fine('apps', 'Every app is as strong as it has to be.');
  const listed = listOf(names, count > names.length);
  return warning(
    'apps',
    `${count} ${count === 1 ? 'app' : 'apps'} cannot work, because strong clients (FAPI 2.0) are required: ${listed}.`,
    'Give each app its own key and https addresses (docs/fapi.md), or drop the requirement: npm run cli -- client update ID --strong off',
  );
}

/** At most this many agents or files are named. */
const mostNamed = 5;

/** Agents whose owner is disabled or no longer exists. */
async function examineAgents(): Promise<Finding> {
  const names = await agentsOfNobody(mostNamed + 1);
  if (names.length === 0) return fine('agents', 'Every agent has an owner who can sign in.');
  return warning(
    'agents',
    `No owner who can sign in is set for ${firstOf(names)}, and people are shown that.`,
    'Set an owner: npm run cli -- client update ID --owner USERNAME',
  );
}

/** Apps that sign-outs do not reach: people stay signed in there. */
async function examineLogouts(): Promise<Finding> {
  const failed = await failedLogouts(mostNamed + 1);
  if (failed.length === 0)
    return fine('logouts', 'Sign-outs reach every app that wants to know of them.');
  const apps = failed
    .slice(0, mostNamed)
    .map(
      ({ name, failure, failedAt, nextAt }) =>
        `“${said(name)}” ${failedLogoutText(text, failure)} (${failedAt.toISOString()}, ${nextAt ? `next try ${nextAt.toISOString()}` : 'given up'})`,
    );
  return warning(
    'logouts',
    `Sign-outs do not reach the back-channel logout address of ${apps.join(', ')}${failed.length > mostNamed ? ' …' : ''}.`,
    'Look into the log of the app: it has to answer 200 or 204. Each sign-out is tried again for seven hours.',
  );
}

const firstOf = (names: readonly string[]) =>
  listOf(names.slice(0, mostNamed), names.length > mostNamed);

const listOf = (names: readonly string[], more: boolean) =>
  names.map((name) => `“${said(name)}”`).join(', ') + (more ? ' …' : '');

async function examineKeys(now: Date): Promise<Finding> {
  const keys = await listKeys();
  const inUse = signingAlgs.flatMap(
    (alg) => keys.find((key) => key.alg === alg && !key.retiredAt) ?? [],
  );
  if (inUse.length < signingAlgs.length)
    return warning('keys', 'There are no signing keys yet.', 'Start the server: it makes them.');
  const oldest = Math.min(...inUse.map(({ createdAt }) => createdAt.getTime()));
  const days = Math.floor((now.getTime() - oldest) / day);
  const says = `The oldest signing key in use is ${days} days old.`;
  return now.getTime() - oldest > oldKey
    ? warning(
        'keys',
        says,
        'A running server replaces keys after 90 days. Start one, or run: npm run cli -- keys rotate',
      )
    : fine('keys', says);
}

async function examineBackups(now: Date): Promise<Finding> {
  const state = await backupState(now);
  if (state.is === 'off')
    return warning(
      'backups',
      'This server makes no backups.',
      'Set BACKUP_DIR, or run "npm run cli -- backup" from a timer.',
    );
  const says = state.last
    ? `The last backup in ${state.folder} is ${Math.round((now.getTime() - state.last.getTime()) / 3_600_000)} hours old.`
    : `There is no backup in ${state.folder} yet.`;
  if (state.late)
    return trouble(
      'backups',
      says,
      `One is due every ${state.hours} hours. Look for "backup" in the server’s log, and check the folder’s rights and space.`,
    );
  if (state.ahead.length > 0)
    return warning(
      'backups',
      `${says} Not counted, because a clock was ahead and their time is in the future: ${firstOf(state.ahead)}.`,
      'Check the clocks of your servers, and delete these files once there are enough other backups.',
    );
  return fine('backups', state.last ? says : `${says} The first one is being made.`);
}

async function examineMail(): Promise<Finding> {
  const { url, fromIsGuessed, from } = config().mail;
  if (url === null)
    return warning(
      'mail',
      'No mail server is set, so users cannot reset a password or confirm an address by themselves.',
      'Set MAIL_URL and MAIL_FROM.',
    );
  const { hostname, port, username } = new URL(url);
  const where = port ? `${hostname}:${port}` : hostname;
  try {
    await verifyMailServer(url);
  } catch (error) {
    const { fault, said } = judge(error);
    return trouble(
      'mail',
      `The mail server at ${where} does not take mail: ${said}`,
      text(`testMail.faults.${fault}`, { host: where }),
    );
  }
  return fromIsGuessed
    ? warning(
        'mail',
        `The mail server at ${where} answers. Letters come from ${from.address}, which is a guess.`,
        'Set MAIL_FROM.',
      )
    : fine(
        'mail',
        username
          ? `The mail server at ${where} takes our sign-in.`
          : `The mail server at ${where} answers. No user name is set, so it has to accept mail without one.`,
      );
}
