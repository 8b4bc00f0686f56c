import type { MailState } from '#lib/management/home.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { sendTestMail } from './actions.ts';

/** How mail is sent, and a button to send a test mail. @param from where the answer is shown */
export async function MailCard({ mail, from }: { mail: MailState; from: 'settings' | 'set-up' }) {
  const text = await pageText();
  return (
    <Card id="mail" title={text('start.mail.title')} text={sayMail(text, mail)}>
      {mail.is === 'off' ? (
        <pre className="whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken px-3 py-2 text-xs">
          {text('testMail.example')}
        </pre>
      ) : (
        <SaveForm
          action={sendTestMail}
          label={text('testMail.test')}
          className="grid gap-3"
          fields={{ from }}
          kind="secondary"
          size="small"
          save={text('testMail.test')}
        />
      )}
      {mail.is === 'outbox' && (
        <p className="mt-3 text-sm">
          <QuickLink className="gh-link" href="/admin/outbox">
            {text('start.mail.outboxLink')}
          </QuickLink>
        </p>
      )}
    </Card>
  );
}

function sayMail(text: Text, mail: MailState): string {
  if (mail.is !== 'on') return text(`start.mail.${mail.is}`);
  return text(`start.mail.${mail.guessed ? 'guessed' : 'on'}`, {
    server: mail.server,
    from: mail.from,
  });
}
