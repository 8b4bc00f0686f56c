import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { sendTestMail } from '../settings/general/actions.ts';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { DoctorForm } from './form.tsx';

/** A look at everything the server depends on, and a letter to oneself. */
export async function DoctorCard({ sendsMail }: { sendsMail: boolean }) {
  const text = await pageText();
  return (
    <Card id="doctor" title={text('doctor.title')} text={text('doctor.text')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DoctorForm />
        {sendsMail && (
          <ActionForm action={sendTestMail} label={text('doctor.letter')} className="grid gap-3">
            <Hidden fields={{ from: 'home' }} />
            <div>
              <Submit kind="quiet" size="small">
                {text('doctor.letter')}
              </Submit>
            </div>
          </ActionForm>
        )}
        <p className="text-sm text-ink-soft">
          {text('doctor.command')} <code className="whitespace-nowrap">npm run cli -- doctor</code>
        </p>
      </div>
    </Card>
  );
}
