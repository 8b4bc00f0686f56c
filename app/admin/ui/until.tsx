import { pageText } from '../../locale.ts';
import { Day } from '../../ui/day.tsx';
import { pageZone } from '../../zone.ts';
import { lastDayOf } from './last-day.ts';

/** The last day of something that ends by itself; nothing if it does not. */
export async function Until({ at }: { at: Date | null }) {
  if (!at) return null;
  const text = await pageText();
  return (
    <span className="text-sm text-ink-soft">
      {text('ends.until')} <Day locale={text.locale} at={lastDayOf(at, await pageZone())} />
    </span>
  );
}
