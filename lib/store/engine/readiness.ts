import { once } from '../../once.ts';
import { diskFull, isDatabaseAway, isDatabaseFull } from './away.ts';
import { database, read, write } from './database.ts';
import { lastWrite, timesAway } from './health.ts';
import { readRevision } from './revision.ts';

/** Milliseconds. */
const answersWithin = 2000;
const fresh = 1000;
/**
 * How long a write proves that another would succeed, and the least time between two writes made to
 * find out.
 */
const writtenLately = 5000;
const triedLately = 2000;

type Trouble = string | null;
type Look = {
  trouble: Promise<Trouble>;
  startedAt: number;
  endedAt: number;
  /** How often the database had been away when all was well; null: not all was well. */
  wellAt: number | null;
};
type Readiness = { look: Look | null; triedAt: number };

const readiness = () => once('readiness', (): Readiness => ({ look: null, triedAt: 0 }));

/**
 * Why the database cannot do what tokens need, or null. It answers within two seconds, and many
 * callers cause no more reads and writes than one.
 */
export async function findTrouble(): Promise<Trouble> {
  const state = readiness();
  if (!state.look || isOld(state.look)) state.look = startLook(state);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Trouble>((resolve) => {
    timer = setTimeout(resolve, answersWithin, 'The database does not answer.');
  });
  return Promise.race([state.look.trouble, late]).finally(() => clearTimeout(timer));
}

/**
 * Whether the look is too old: it ended a while ago, a request has found the database away since
 * then, or it never ends.
 */
function isOld(look: Look): boolean {
  if (look.endedAt === 0) return Date.now() - look.startedAt > answersWithin;
  return Date.now() - look.endedAt > fresh || (look.wellAt ?? timesAway()) !== timesAway();
}

function startLook(state: Readiness): Look {
  const started: Look = {
    trouble: look(state).then((trouble) => {
      const wellAt = trouble === null ? timesAway() : null;
      Object.assign(started, { endedAt: Date.now(), wellAt });
      return trouble;
    }),
    startedAt: Date.now(),
    endedAt: 0,
    wellAt: null,
  };
  return started;
}

async function look(state: Readiness): Promise<Trouble> {
  try {
    if (await isReadOnly()) return readOnly;
  } catch (error) {
    return isStandby(error) ? standby : 'The database does not answer.';
  }
  return tryToWrite(state);
}

const readOnly = 'The database is read-only.';
const standby = 'The database is a standby; DATABASE_URL has to lead to the primary.';

/** Reads what every request needs, and also whether PostgreSQL was told to accept no writes. */
async function isReadOnly(): Promise<boolean> {
  if (database().kind === 'postgresql')
    return (await read(revisionAndMode, {}))[0]?.isReadOnly === true;
  await readRevision();
  return false;
}

const revisionAndMode =
  "SELECT current_setting('transaction_read_only') = 'on' AS is_read_only FROM revision WHERE id = 1";

/** Whether no connection was made because the server is a standby. */
const isStandby = (error: unknown) =>
  ((error as Error).cause as { code?: unknown } | undefined)?.code === '25006';

const probe = `
  INSERT INTO leases (name, holder, expires_at) VALUES ('readiness', '', :expiresAt)
  ON CONFLICT (name) DO UPDATE SET expires_at = :expiresAt RETURNING name`;

/** Writes if need be, because only a write reveals a full disk. */
async function tryToWrite(state: Readiness): Promise<Trouble> {
  const [now, { writtenAt, writesFail }] = [Date.now(), lastWrite()];
  if (!writesFail && now - writtenAt < writtenLately) return null;
  if (writesFail && now - state.triedAt < triedLately) return unwritable(writesFail === 'full');
  state.triedAt = now;
  try {
    await write(probe, { expiresAt: new Date(now) });
    return null;
  } catch (error) {
    return isDatabaseAway(error) ? unwritable(isDatabaseFull(error)) : 'The database failed.';
  }
}

const unwritable = (isFull: boolean) =>
  isFull ? `${diskFull}.` : 'The database cannot be written to.';
