import type { MailState } from '#lib/management/home.ts';
import { homeWords } from '#lib/messages/admin/home.ts';
import { mailWords as words } from '#lib/messages/admin/mail.ts';
import { Card } from '../../../ui/card.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { sendTestMail } from './actions.ts';

/** How mail is sent, and a letter to try it. @param from where the answer is shown */
export function MailCard({ mail, from }: { mail: MailState; from: 'settings' | 'set-up' }) {
  return (
    <Card id="mail" title={homeWords.mail.title} text={sayMail(mail)}>
      {mail.is === 'off' ? (
        <pre className="whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken px-3 py-2 text-xs">
          {words.example}
        </pre>
      ) : (
        <ActionForm action={sendTestMail} label={words.test} className="grid gap-3">
          <Hidden fields={{ from }} />
          <div>
            <Submit kind="secondary" size="small">
              {words.test}
            </Submit>
          </div>
        </ActionForm>
      )}
      {mail.is === 'outbox' && (
        <p className="mt-3 text-sm">
          <QuickLink className="gh-link" href="/admin/outbox">
            {homeWords.mail.outboxLink}
          </QuickLink>
        </p>
      )}
    </Card>
  );
}

function sayMail(mail: MailState): string {
  if (mail.is !== 'on') return homeWords.mail[mail.is];
  return homeWords.mail[mail.guessed ? 'guessed' : 'on'](mail.server, mail.from);
}
