import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { sayIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { facing } from '../ui/facing.ts';
import { destinationOf } from '../ui/summaries.ts';
import { readConsentScreen } from './screen.ts';
import { ConsentView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function ConsentPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const say = sayIn(locale);
  const { flow } = await searchParams;
  const screen = await readConsentScreen(await pageRequest(), String(flow ?? ''), new Date());
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, asked } = screen;
  const { session } = asked;
  const { checked } = asked.resumed;
  const destination = destinationOf(checked);
  return (
    <ConsentView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={asked.sealed}
      seen={screen.seen}
      app={facing(screen.app, checked, locale)}
      account={{
        ...session.user,
        name: session.user.name ?? undefined,
        picture: session.user.picture ?? undefined,
      }}
      destination={destination}
      scopes={screen.scopes}
      life={screen.life}
      error={say(notice?.error)}
    />
  );
}
