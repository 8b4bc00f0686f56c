import type { Text } from '#lib/messages/text.ts';
import { totalIn } from '#lib/messages/total.ts';
import type { Total } from '#lib/store/engine/page.ts';
import type { Ticks } from '../../../ui/table.tsx';
import { selectionFields } from './selection.ts';

/** The form to which the tick boxes of a list belong, wherever they are on the page. */
export const selectionForm = 'selected';

/**
 * How rows of a list are ticked. With `total`, all matching rows can be chosen at once without
 * scripts.
 */
export const ticksOf = (text: Text, total?: Total): Ticks => ({
  form: selectionForm,
  field: selectionFields.id,
  all: text('table.tickAll'),
  one: (name) => text('table.tick', { name }),
  matching: total && {
    field: selectionFields.all,
    label: text('table.all', { count: totalIn(text.locale, total) }),
  },
});
