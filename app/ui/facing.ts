import type { FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { destinationOf } from './summaries.ts';

/** One that registered itself is named by the destination of this request. */
export function facing(app: FacedApp, checked: CheckedRequest, locale: Locale): FacedApp {
  if (app.unverified?.origin !== 'registration') return app;
  const { device, label } = destinationOf(checked);
  return { ...app, name: device ? textIn(locale)('consent.unverifiedDevice') : label };
}
