import { pageText } from '../../../locale.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { pageZone } from '../../../zone.ts';
import { lastDayOf } from '../last-day.ts';
import { TextField } from './fields.tsx';

/**
 * The last day of something that ends by itself, or nothing. The day is over at midnight in the
 * reader's time zone, which the field names and sends along.
 */
export async function EndField({ at = null }: { at?: Date | null }) {
  const text = await pageText();
  const zone = await pageZone();
  return (
    <>
      <Hidden fields={{ zone }} />
      <TextField
        name="ends_at"
        type="date"
        label={text('ends.lastDay')}
        hint={text('ends.zone', { zone })}
        defaultValue={at ? lastDayOf(at, zone) : undefined}
        optional
      />
    </>
  );
}
