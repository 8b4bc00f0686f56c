import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { DoctorForm } from './form.tsx';

/** An examination of everything the server depends on. */
export async function DoctorCard() {
  const text = await pageText();
  return (
    <Card id="doctor" title={text('doctor.title')} text={text('doctor.text')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DoctorForm />
        <p className="text-sm text-ink-soft">
          {text('doctor.command')} <code className="whitespace-nowrap">npm run cli -- doctor</code>
        </p>
      </div>
    </Card>
  );
}
