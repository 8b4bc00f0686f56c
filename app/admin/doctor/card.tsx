import { doctorWords as words } from '#lib/messages/admin/doctor.ts';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { sendTestMail } from '../settings/general/actions.ts';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { DoctorForm } from './form.tsx';

/** A look at everything the server depends on, and a letter to oneself. */
export function DoctorCard({ sendsMail }: { sendsMail: boolean }) {
  return (
    <Card id="doctor" title={words.title} text={words.text}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DoctorForm />
        {sendsMail && (
          <ActionForm action={sendTestMail} label={words.letter} className="grid gap-3">
            <Hidden fields={{ from: 'home' }} />
            <div>
              <Submit kind="quiet" size="small">
                {words.letter}
              </Submit>
            </div>
          </ActionForm>
        )}
        <p className="text-sm text-ink-soft">
          {words.command} <code className="whitespace-nowrap">npm run cli -- doctor</code>
        </p>
      </div>
    </Card>
  );
}
