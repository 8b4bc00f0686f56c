import type { FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { destinationOf } from './summaries.ts';

/** An app as people read it. One that registered itself is read by where it leads back to now. */
export function facing(app: FacedApp, checked: CheckedRequest, locale: Locale): FacedApp {
  if (app.unverified?.origin !== 'registration') return app;
  const { device, label } = destinationOf(checked);
  return { ...app, name: device ? textIn(locale)('consent.unverifiedDevice') : label };
}
