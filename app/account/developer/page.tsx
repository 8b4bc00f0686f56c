import { listContacted } from '#lib/management/client/contacts.ts';
import { requireUser } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { DeveloperFrame, developerPage } from './frame.tsx';

/** The apps of which the user is a contact. */
export default async function DeveloperPage() {
  const { user } = await requireUser();
  const text = await pageText();
  const clients = await listContacted(user.id);
  return (
    <DeveloperFrame title={text('developer.title')} lead={text('developer.lead')} role={user.role}>
      <Card>
        {clients.length === 0 ? (
          <EmptyState title={text('developer.none')} text={text('developer.noneText')} />
        ) : (
          <ul className="divide-y divide-line">
            {clients.map(({ id, name, picture }) => (
              <li key={id} className="flex items-center gap-4 py-4 first:pt-0 last:pb-0">
                <AppMark id={id} name={name} image={picture} className="size-11 text-lg" />
                <a
                  className="gh-link min-w-0 py-1 font-semibold wrap-anywhere"
                  href={developerPage(id)}
                >
                  <UserText text={name} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </DeveloperFrame>
  );
}
