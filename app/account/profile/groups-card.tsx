import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Card } from '../../ui/card.tsx';
import { UserText } from '../../ui/user-text.tsx';

type Props = { groups: readonly { id: string; name: string }[]; locale: Locale };

const shown = 50;

/** The groups the user is in. Only admins can change them. */
export function GroupsCard({ groups, locale }: Props) {
  const text = textIn(locale);
  if (groups.length === 0) return null;
  const rest = groups.length - shown;
  return (
    <Card id="groups" title={text('profile.groups')} text={text('profile.groupsText')}>
      <ul className="flex flex-wrap gap-2">
        {groups.slice(0, shown).map(({ id, name }) => (
          <li
            key={id}
            className="max-w-full rounded-lg border border-line bg-sunken px-3 py-1 wrap-anywhere"
          >
            <UserText text={name} />
          </li>
        ))}
        {rest > 0 && (
          <li className="px-1 py-1 text-ink-soft">{text('profile.groupsMore', { count: rest })}</li>
        )}
      </ul>
    </Card>
  );
}
