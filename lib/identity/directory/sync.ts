import {
  countDirectoryPeople,
  type DirectoryLink,
  type DirectorySync,
  listDirectoryLinks,
  listSyncs,
  noteSync,
} from '../../store/directories.ts';
import { whileLeased } from '../../store/engine/leases.ts';
import { findUser } from '../../store/users.ts';
import { log } from '../../telemetry/log.ts';
import {
  askDirectory,
  DirectoryAway,
  type DirectoryConnection,
  DirectoryRefused,
} from './asking.ts';
import { type Directory, directories } from './configured.ts';
import { type DirectoryPerson, findByIds } from './entry.ts';
import { changesNothing, disableFor, enableFor, follow, type Told } from './follow.ts';
import { type GroupCache, ourGroupsOf } from './groups.ts';

/** How many people are asked about on one connection. */
const atOnce = 50;
/** This few may always be disabled by one sync, whatever share of all people they are. */
const fewEnough = 3;
const mostNamed = 200;
/** Milliseconds after which another process syncs, if the one that did died or failed. */
const tryAgain = 10 * 60_000;

/** What a sync did, or would do. Each list holds at most 200 names. */
type SyncReport = {
  directory: string;
  outcome: DirectorySync['outcome'];
  people: number;
  changed: string[];
  disabled: string[];
  enabled: string[];
  /** How many are to be disabled; can be more than are named. */
  leaving: number;
  /** People whose address in the directory belongs to another account here. */
  collisions: string[];
  why: string | null;
};

type How = {
  /** Only reports what would be done. */
  plan?: boolean;
  /** This many may be disabled even if that is above the limit. */
  accepts?: number;
  /** Ends it early. */
  stop?: AbortSignal;
};

/** People whom the directory did not tell about; if there are more, the sync fails. */
const mostUnread = 20;

type LinkedPerson = Omit<Told, 'person'> & { link: DirectoryLink; person: DirectoryPerson | null };

/**
 * Makes the accounts of a directory's people match their entries. People who are gone or disabled
 * there are disabled here, and never deleted. No one is disabled unless the whole directory could
 * be asked, nor if more people would be than the operator allows without confirmation.
 * @throws the reason of `stop`
 */
export async function syncDirectory(
  directory: Directory,
  now: Date,
  how: How = {},
): Promise<SyncReport> {
  const report: SyncReport = {
    directory: directory.id,
    outcome: 'done',
    people: 0,
    changed: [],
    disabled: [],
    enabled: [],
    leaving: 0,
    collisions: [],
    why: null,
  };
  try {
    await syncInto(directory, report, how, now);
  } catch (error) {
    if (!(error instanceof DirectoryAway || error instanceof DirectoryRefused)) throw error;
    Object.assign(report, { outcome: 'failed', why: error.message });
  }
  if (!how.plan) await recordOutcome(report, now);
  return report;
}

async function syncInto(
  directory: Directory,
  report: SyncReport,
  { plan = false, accepts = 0, stop }: How,
  now: Date,
): Promise<void> {
  const seen: GroupCache = new Map();
  const leaving: DirectoryLink[] = [];
  // Everyone is looked up first: if the directory goes away half-way, no one is disabled.
  const unread: string[] = [];
  const noteUnread = async ({ userId }: DirectoryLink, error: DirectoryRefused) => {
    unread.push(await usernameOf(userId));
    if (unread.length > mostUnread) throw error;
    report.why = `Not told about ${unread.join(', ')}: ${error.message}`;
  };
  for await (const known of eachLinkedPerson(directory, seen, noteUnread)) {
    stop?.throwIfAborted();
    report.people += 1;
    if (known.person && !known.person.disabled)
      await updateAccount({ ...known, person: known.person }, report, plan, now);
    else if (await isEnabled(known.link)) leaving.push(known.link);
  }
  const all = await countDirectoryPeople(directory.id);
  const most = Math.max(fewEnough, Math.floor((all * directory.sync.stopAbove) / 100));
  report.leaving = leaving.length;
  for (const { userId } of leaving) noteName(report.disabled, await usernameOf(userId));
  if (leaving.length > most && leaving.length > accepts) {
    report.outcome = 'stopped';
    report.why = `${leaving.length} of ${all} people would be disabled, more than ${most}.`;
    return;
  }
  if (plan) return;
  for (const { userId } of leaving) {
    stop?.throwIfAborted();
    await disableFor(directory, userId, now);
  }
}

async function* eachLinkedPerson(
  directory: Directory,
  seen: GroupCache,
  noteUnread: NoteUnread,
): AsyncGenerator<LinkedPerson> {
  let after = '';
  for (;;) {
    const links = await listDirectoryLinks(directory.id, after, atOnce);
    // A directory without people here is asked too, to find out whether it is away.
    if (links.length === 0 && after === '') await askDirectory(directory, async () => {});
    if (links.length === 0) return;
    after = links.at(-1)?.entryId ?? after;
    // More time than for one person: each nested group is a query.
    const patient = { ...directory, timeout: 60_000 };
    yield* askAbout(patient, links, seen, noteUnread);
  }
}

type NoteUnread = (link: DirectoryLink, error: DirectoryRefused) => Promise<void>;

/**
 * Asks about people on one connection. If that is more than the directory tells at once, or it
 * refuses one of them, they are asked about in halves, and whom it does not tell about stays as
 * they are.
 */
async function* askAbout(
  directory: Directory,
  links: readonly DirectoryLink[],
  seen: GroupCache,
  noteUnread: NoteUnread,
): AsyncGenerator<LinkedPerson> {
  let told: LinkedPerson[];
  try {
    told = await askDirectory(directory, (connection) =>
      readLinked(connection, directory, links, seen),
    );
  } catch (error) {
    if (!(error instanceof DirectoryRefused)) throw error;
    const [only] = links;
    if (only && links.length === 1) return noteUnread(only, error);
    const half = Math.ceil(links.length / 2);
    yield* askAbout(directory, links.slice(0, half), seen, noteUnread);
    yield* askAbout(directory, links.slice(half), seen, noteUnread);
    return;
  }
  yield* told;
}

async function readLinked(
  connection: DirectoryConnection,
  directory: Directory,
  links: readonly DirectoryLink[],
  seen: GroupCache,
): Promise<LinkedPerson[]> {
  const ids = links.map(({ entryId }) => entryId);
  const found = new Map(
    (await findByIds(connection, directory, ids)).map((person) => [person.id, person]),
  );
  const linked: LinkedPerson[] = [];
  for (const link of links) {
    const person = found.get(link.entryId) ?? null;
    const ours = person ? await ourGroupsOf(connection, directory, person, seen) : [];
    linked.push({ directory, link, person, ours });
  }
  return linked;
}

async function updateAccount(
  known: Told & { link: DirectoryLink },
  report: SyncReport,
  plan: boolean,
  now: Date,
): Promise<void> {
  const { directory, link } = known;
  const username = await usernameOf(link.userId);
  if (link.disabledByIt && (plan || (await enableFor(directory, link.userId, now))))
    noteName(report.enabled, username);
  const following = await follow(known, link.userId, now, plan);
  if (!changesNothing(following)) noteName(report.changed, username);
  if (following.collides) noteName(report.collisions, username);
}

const isEnabled = async ({ userId }: DirectoryLink) => (await findUser(userId))?.disabled === false;
const usernameOf = async (id: string) => (await findUser(id))?.username ?? id;
const noteName = (list: string[], username: string) => {
  if (list.length < mostNamed) list.push(username);
};

async function recordOutcome(
  { directory, outcome, ...detail }: SyncReport,
  startedAt: Date,
): Promise<void> {
  await noteSync({ directory, startedAt, endedAt: new Date(), outcome, detail });
  const about = { directory, people: detail.people, disabled: detail.disabled.length };
  if (outcome === 'done') log().info(about, 'a directory was synced');
  else log().warn({ ...about, why: detail.why }, `the sync of a directory ${outcome}`);
}

/** Syncs each directory that is due, in one process at a time, however long it takes. */
export async function syncDue(): Promise<void> {
  for (const directory of directories()) {
    // Read for each directory: the previous one may have taken long, or another process may have
    // done this one.
    const now = new Date();
    const last = (await listSyncs()).find((sync) => sync.directory === directory.id);
    const due = (last?.startedAt.getTime() ?? 0) + directory.sync.everySeconds * 1000;
    if (now.getTime() < due) continue;
    await whileLeased(`directory-sync:${directory.id}`, leaseOf(directory), now, (stop) =>
      syncDirectory(directory, now, { stop }),
    );
  }
}

/** Short enough to end before the next sync is due. */
const leaseOf = ({ sync }: Directory) => Math.min(tryAgain, (sync.everySeconds * 1000) / 2);
