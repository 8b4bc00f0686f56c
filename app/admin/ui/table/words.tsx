import type { ReactNode } from 'react';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import type { Total } from '#lib/store/engine/page.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { IconName } from '../../../ui/line-icon.tsx';
import { filtersIn } from './order.ts';

/** The parts of the catalogue with the messages of a list. */
type Room = 'apis' | 'approvals' | 'attempts' | 'clients' | 'groups';

type Shown = {
  query: Readonly<Record<string, string>>;
  total: Total;
  icon?: IconName;
  /** How to fill the list. */
  add?: ReactNode;
  /** It is unclear what the filters mean, so nothing is shown. */
  unclear?: boolean;
};

/** What a list says: over it, in its search, without rows and below it. */
export function listWords(text: Text, room: Room, { query, total, icon, add, unclear }: Shown) {
  const filtered = Object.keys(filtersIn(query)).length > 0;
  return {
    title: text(`${room}.title`),
    text: text(`${room}.lead`),
    search: text(`${room}.search`),
    caption: text(`${room}.list`),
    says: text(`${room}.total`, ofTotal(total)),
    empty: unclear ? null : (
      <EmptyState
        icon={icon}
        title={filtered ? text(`${room}.nothingFound`) : text(`${room}.none`)}
        text={filtered ? text(`${room}.nothingFoundText`) : text(`${room}.noneText`)}
        action={filtered ? undefined : add}
      />
    ),
  };
}
