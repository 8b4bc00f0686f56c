import type { ReactNode } from 'react';
import type { Matrix, Way } from '#lib/management/grant/matrix.ts';
import { agoIn, momentsIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { pageZone } from '../../../zone.ts';
import { clientPage } from '../../addresses.ts';
import { hrefOf } from '../../ui/href.ts';

type Props = { text: Text; matrix: Matrix; children: ReactNode };

/**
 * A row for each person and a column for each app (app/ui/matrix.css). Fifty rows of six cells are
 * as much as a page may weigh, so a cell is at most one link, with the exact time in its title.
 */
export async function MatrixTable({ text, matrix: { people, apps, usageOf }, children }: Props) {
  const reader = { text, zone: await pageZone(), now: new Date() };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    <div
      role="group"
      className="gh-matrix"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={text('matrix.title')}
    >
      <div>
        <table>
          <caption className="sr-only">{text('matrix.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('people.columnPerson')}</th>
              {apps.rows.map(({ id, name, disabled, open }) => (
                <th scope="col" key={id}>
                  <a className="gh-name" href={clientPage(id, 'access')} title={stripBidi(name)}>
                    <UserText text={name} />
                  </a>
                  {disabled && ` (${text('access.disabled')})`}
                  {open && <span>{text('matrix.everyone')}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.rows.map(({ id, username, name, disabledAt }) => (
              <tr key={id}>
                <th scope="row">
                  <a className="gh-name" href={`/admin/people/${id}`} title={stripBidi(username)}>
                    <UserText text={name || username} />
                  </a>
                  {disabledAt && ` (${text('access.disabled')})`}
                </th>
                {apps.rows.map((app) => cellOf(reader, id, app.id, usageOf(id, app.id)))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {children}
    </div>
  );
}

/** Why someone may use an app, in a word or two: the name of a group, or "by name". */
export const wayText = (text: Text, way: Way): string =>
  way.by === 'group' ? stripBidi(way.group) : text(`matrix.by.${way.by}`);

type Usage = ReturnType<Matrix['usageOf']>;

/** How recent a use must be to be highlighted, in milliseconds. */
const recent = 30 * 24 * 3600_000;

function cellOf(
  { text, zone, now }: { text: Text; zone: string; now: Date },
  person: string,
  client: string,
  { way, allowedAt, usedAt }: Usage,
) {
  const mark = way ? (
    <>
      <b title={text('matrix.may')}>✓</b> {way.by !== 'everyone' && wayText(text, way)}
    </>
  ) : (
    <span title={text('matrix.mayNot')}>–</span>
  );
  if (!allowedAt) return <td key={client}>{mark}</td>;
  const isRecent = way && usedAt && now.getTime() - usedAt.getTime() < recent;
  const page = usedAt ? '/admin/traces' : '/admin/approvals';
  return (
    <td key={client} className={isRecent ? 'gh-used' : undefined}>
      {mark}{' '}
      <a
        href={hrefOf(page, { person, client })}
        title={momentsIn(text.locale, usedAt ?? allowedAt, zone)}
      >
        {usedAt ? agoIn(text.locale, usedAt, now) : text('matrix.allowed')}
      </a>
    </td>
  );
}
