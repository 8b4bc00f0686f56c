import { redirect } from 'next/navigation';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import type { DestinationFace } from '../ui/destination.tsx';
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
  const { checked, session, notice } = screen;
  const destination = destinationOf(checked);
  return (
    <ConsentView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={screen.sealed}
      seen={screen.seen}
      app={facing(screen.app, destination, locale)}
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

/** One that registered itself is read by where it leads back to now. */
function facing(app: FacedApp, { device, label }: DestinationFace, locale: Locale): FacedApp {
  if (app.stranger?.origin !== 'registration') return app;
  return { ...app, name: device ? textIn(locale)('consent.strangerDevice') : label };
}
