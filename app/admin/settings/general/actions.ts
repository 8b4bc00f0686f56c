'use server';

import { config } from '#lib/config.ts';
import { type MailFault, sendTestLetter } from '#lib/mail/test-letter.ts';
import { offeredLocales } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import { mailPlaces } from '#lib/own-words.ts';
import { pageText } from '../../../locale.ts';
import { knownOption } from '../../../params.ts';
import { act, doneAt, failed, textOf } from '../../act.ts';
import { setUpAt } from '../../set-up/steps.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { wordsPage } from '../look/words/places.ts';
import { settingsAt } from '../tabs.ts';

/** Sends a test mail to the admin who asks, and says whether it was accepted. */
export async function sendTestMail(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ session, now }) => {
    const { email } = session.user;
    const { host } = new URL(config().mail.url ?? config().issuer);
    const place = knownOption(mailPlaces, textOf(form, 'place'));
    const locale = knownOption(offeredLocales, textOf(form, 'language'));
    const outcome = await sendTestLetter({ id: session.user.id, email }, now, { place, locale });
    if (outcome.is === 'failed')
      return failed(form, failureOf(await pageText(), outcome.fault, host, outcome.said));
    if (outcome.is === 'off' || outcome.is === 'too-often')
      return failed(form, (await pageText())(`testMail.${outcome.is}`));
    const page = place ? wordsPage(place, textOf(form, 'language')) : pageOf(textOf(form, 'from'));
    return doneAt(page, `testMail.${outcome.is}`, { to: email });
  });
}

/** Why the mail server, or the connection to it, refused the mail. */
function failureOf(text: Text, fault: MailFault, host: string, said: string): string {
  const why = text(`testMail.faults.${fault}`, { host });
  const failed = text('testMail.failed', { why });
  return said ? `${failed} ${text('testMail.answer', { said })}` : failed;
}

/** The page on which the mail was requested. */
function pageOf(from: string): string {
  return from === 'set-up' ? setUpAt('server') : settingsAt('general');
}
