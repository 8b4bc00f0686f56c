'use server';

import { config } from '#lib/config.ts';
import { sendTestLetter } from '#lib/mail/test-letter.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { mailWords as words } from '#lib/messages/admin/mail.ts';
import { act, doneAt, textOf } from '../../act.ts';
import { setUpAt } from '../../set-up/steps.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { settingsAt } from '../tabs.ts';

/** Sends a letter to the admin who asks, and tells what became of it. */
export async function sendTestMail(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ session, now }) => {
    const { email } = session.user;
    const { host } = new URL(config().mail.url ?? config().issuer);
    const outcome = await sendTestLetter({ id: session.user.id, email }, now);
    if (outcome.is === 'failed')
      return refuseAdmin(null, words.failed(words.faults[outcome.fault](host), outcome.said));
    if (outcome.is === 'off' || outcome.is === 'too-often')
      return refuseAdmin(null, words[outcome.is]);
    return doneAt(pageOf(textOf(form, 'from')), words[outcome.is](email));
  });
}

/** Where a letter was asked for. */
function pageOf(from: string): string {
  if (from === 'home') return '/admin';
  return from === 'set-up' ? setUpAt('server') : settingsAt('general');
}
