import { apps, mostMoreApps, mostPeople } from './cast.ts';

/** How many people and apps a demo has. */
export type DemoSize = { people: number; apps: number };

/** The people who each live a week of activity, and the admin. */
const usual: DemoSize = { people: 80, apps: apps.length };
const most: DemoSize = { people: mostPeople, apps: apps.length + mostMoreApps };

/**
 * Parses the requested size.
 * @throws Error with the value given and what was expected
 */
export const sizeSaid = (said: { people?: string; apps?: string }): DemoSize => ({
  people: read('people', said.people),
  apps: read('apps', said.apps),
});

function read(name: keyof DemoSize, said: string | undefined): number {
  if (said === undefined) return usual[name];
  const number = Number(said);
  if (/^\d{1,9}$/.test(said) && number >= usual[name] && number <= most[name]) return number;
  throw new Error(
    `--${name} is "${said}", and has to be a whole number from ${usual[name]} to ${most[name]}.`,
  );
}
