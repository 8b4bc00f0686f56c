import { totalIn } from '#lib/messages/total.ts';
import type { Total } from '#lib/store/engine/page.ts';
import { pageText } from '../../../locale.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { type BulkAct, selectionFields } from './selection.ts';
import { selectionForm } from './ticks.ts';

type Props = {
  acts: readonly BulkAct[];
  /** The filters of the list, sent along in case all matching rows are meant. */
  filters: Readonly<Record<string, string>>;
  total: Total;
  /** The number of rows on the page. */
  shown: number;
};

/**
 * The actions for ticked rows, at the bottom of the screen while any is ticked (app/ui/table.css).
 */
export async function SelectionBar({ acts, filters, total, shown }: Props) {
  const text = await pageText();
  const all = totalIn(text.locale, total);
  return (
    <form id={selectionForm} method="get" action={acts[0]?.href} className="gh-bar">
      <Hidden fields={filters} />
      <output data-counted={JSON.stringify({ one: text('table.selected'), all })} />
      {total.count > shown && (
        <label className="flex items-center gap-2 whitespace-nowrap">
          <input type="checkbox" name={selectionFields.all} data-every />
          {text('table.all', { count: all })}
        </label>
      )}
      {acts.map(({ label, href, danger }) => (
        <button
          type="submit"
          key={href}
          formAction={href}
          className={classNames('gh-bar-act', danger && 'gh-bar-danger')}
        >
          {label}
        </button>
      ))}
      <button type="reset" className="gh-bar-act" aria-label={text('table.none')}>
        ✕
      </button>
    </form>
  );
}
