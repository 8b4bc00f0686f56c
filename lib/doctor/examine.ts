import { ConfigError, config } from '../config.ts';
import { examineDatabase, type FindPending } from './database.ts';
import { examineDirectories } from './directories.ts';
import { type Finding, fine, reasonOf, trouble } from './finding.ts';
import { examineLdap } from './ldap.ts';
import { examineLetter } from './letter.ts';
import { examineMachine } from './machine.ts';
import { examineOutside } from './outside.ts';
import { examineProviders } from './providers.ts';
import { examineSites } from './sites.ts';
import { examineUpkeep } from './upkeep.ts';

const clock = () => new Date();

/** What the command line checks in addition. */
type More = { findPending?: FindPending; letterTo?: string | undefined };

/** Changes nothing except one row of its own. Never throws. */
export async function examine({ findPending, letterTo }: More = {}): Promise<Finding[]> {
  const settings = examineSettings();
  if (settings.is === 'trouble') return [settings];
  const found = [settings];
  const look = async (check: string, work: () => Promise<Finding[]>) => {
    try {
      found.push(...(await work()));
    } catch (error) {
      found.push(
        trouble(
          check,
          `This could not be checked: ${reasonOf(error)}.`,
          'Fix the findings above first.',
        ),
      );
    }
  };
  await look('machine', examineMachine);
  await look('database', () => examineDatabase(clock, findPending));
  const isThere = !found.some(
    ({ check, is }) => is === 'trouble' && /^(database|migrations)$/.test(check),
  );
  if (isThere) await look('upkeep', () => examineUpkeep(clock()));
  if (isThere) await look('provider', examineProviders);
  if (isThere && letterTo !== undefined)
    await look('letter', async () => [await examineLetter(letterTo, clock())]);
  if (isThere) await look('directory', () => examineDirectories(clock()));
  if (isThere) await look('ldap', () => examineLdap(clock()));
  await look('public-address', () => examineOutside(clock()));
  if (isThere) await look('guarded-site', () => examineSites(clock()));
  return found;
}

function examineSettings(): Finding {
  try {
    const { issuer, database } = config();
    const kind = database === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    return fine('settings', `The settings can be read: ${issuer}, ${kind}.`);
  } catch (error) {
    if (error instanceof ConfigError)
      return trouble('settings', error.message, 'Correct it in the environment or in .env.');
    throw error;
  }
}
