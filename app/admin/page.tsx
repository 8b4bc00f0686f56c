import { pageRequest } from '#lib/http/next.ts';
import { may } from '#lib/people/roles.ts';
import { guardPage } from '../guards.ts';
import { knownOption, readParams, type SearchParams } from '../params.ts';
import { pageZone } from '../zone.ts';
import { knownPeriods, readHomeScreen } from './overview/screen.ts';
import { SupportHome } from './overview/support-home.tsx';
import { HomeView } from './overview/view.tsx';
import { readTroubles } from './troubles.ts';

/** The home page, according to what the user's role may see. */
export default async function HomePage({ searchParams }: { searchParams: SearchParams }) {
  const { user } = await guardPage('/admin');
  if (!may(user.role, 'see-everything')) return <SupportHome />;
  const period = knownOption(knownPeriods, (await readParams(searchParams)).period) ?? '7d';
  const zone = await pageZone();
  const shown = { period, zone, troubles: await readTroubles() };
  const screen = await readHomeScreen(await pageRequest(), user, shown, new Date());
  return <HomeView period={period} zone={zone} screen={screen} />;
}
