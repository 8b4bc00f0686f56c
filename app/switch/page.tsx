import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { pageLocale } from '../locale.ts';
import { type WayParams, wayIn } from '../login/way.ts';
import { facing } from '../ui/facing.ts';
import { anotherAt, readSwitchScreen } from './screen.ts';
import { SwitchView } from './view.tsx';

type Props = { searchParams: WayParams };

export default async function SwitchPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const way = await wayIn(searchParams);
  const screen = await readSwitchScreen(await pageRequest(), way, new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { checked, app } = screen;
  return (
    <SwitchView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={way.sealed}
      back={way.back}
      app={app && checked ? facing(app, checked, locale) : undefined}
      accounts={screen.accounts}
      otherHref={anotherAt(way)}
      cancelHref={way.sealed ? `/oauth/cancel?flow=${way.sealed}` : undefined}
    />
  );
}
