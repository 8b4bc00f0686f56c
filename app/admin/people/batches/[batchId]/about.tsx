import type { BatchSoFar } from '#lib/management/batch/batches.ts';
import type { FilterName } from '#lib/management/batch/chosen.ts';
import { durationIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { readDuration } from '#lib/settings/duration.ts';
import type { Given } from '#lib/store/batches.ts';
import { findGroupById } from '#lib/store/groups.ts';
import { labelsOf } from '#lib/store/user-list.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { When } from '../../../../ui/when.tsx';
import { Who } from '../../../audit/event-list.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';

/** Who started a bulk action, when, why, and how the people were chosen. */
export async function About({ batch }: { batch: BatchSoFar }) {
  const text = await pageText();
  const { madeBy, createdAt, given, chosen, note, undoes } = batch;
  const names = await labelsOf([madeBy]);
  const group = given.group && ((await findGroupById(given.group))?.name ?? given.group);
  const href = `/admin/people/batches/${undoes}`;
  return (
    <Card>
      <FactList
        facts={[
          [
            text('batches.by'),
            <Who key="by" id={madeBy} name={names.get(madeBy) ?? null} text={text} />,
          ],
          [text('batches.at'), <When key="at" locale={text.locale} at={createdAt} />],
          ...(undoes
            ? [
                [
                  text('batches.undoes'),
                  <QuickLink key="undoes" className="gh-link" href={href}>
                    {text('batches.undoesThis')}
                  </QuickLink>,
                ] as const,
              ]
            : [
                [
                  text('batches.from'),
                  <UserText key="from" text={chosenText(text, chosen)} />,
                ] as const,
              ]),
          ...(group
            ? [[text('batches.inGroup'), <UserText key="group" text={group} />] as const]
            : []),
          ...(note ? [[text('batches.why'), <UserText key="why" text={note} />] as const] : []),
        ]}
      />
    </Card>
  );
}

/** The filter by which people were chosen, in the reader's language. */
function chosenText(text: Text, chosen: Given | null): string {
  if (chosen === null) return text('batches.oneByOne');
  const said = Object.entries(chosen) as [FilterName, string][];
  return said
    .map(([name, value]) => {
      const label = text(`batches.filters.${name}`);
      return name === 'everyone' ? label : `${label}: ${valueText(text, name, value)}`;
    })
    .join(' · ');
}

function valueText(text: Text, name: FilterName, value: string): string {
  if (value === 'true') return text('fields.yes');
  if (value === 'false') return text('fields.no');
  const span = name === 'not_signed_in_for' ? readDuration(value) : null;
  return span && 'seconds' in span ? durationIn(text.locale, span.seconds) : value;
}
