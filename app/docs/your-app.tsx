import { canFill } from '#lib/docs/fill.ts';
import { listClients } from '#lib/management/client/clients.ts';
import { listContacted, maySeeClient } from '#lib/management/client/contacts.ts';
import { yourAppWords as words } from '#lib/messages/docs.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { type ClientRecord, findClientRecord } from '#lib/store/client-list.ts';
import { storable } from '#lib/store/engine/page.ts';
import { currentSession } from '../guards.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { stripBidi } from '../ui/strip-bidi.ts';

/** No one could choose from a longer list. */
const mostApps = 200;

/**
 * The app whose values fill the samples; null if none was chosen, or if the reader may not see it.
 */
export async function chosenApp(id: string | undefined): Promise<ClientRecord | null> {
  const session = id === undefined ? null : await currentSession();
  if (!session || id === undefined || !(await maySeeClient(session.user, id))) return null;
  return findClientRecord(storable(id));
}

type Props = { page: string; app: ClientRecord | null };

/** The choice of an app for the samples of a page. Readers who can see no app get nothing. */
export async function YourApp({ page, app }: Props) {
  const session = await currentSession();
  const apps = session ? await appsOf(session.user) : [];
  if (apps.length === 0) return null;
  return (
    <div className="doc-app">
      <form action={page} className="flex flex-wrap items-center gap-3">
        <label htmlFor="docs-app" className="text-sm font-semibold">
          {words.title}
        </label>
        <div className="min-w-0 flex-1 basis-52">
          <Select
            id="docs-app"
            name="app"
            defaultValue={app?.id ?? ''}
            options={[{ value: '', label: words.none }, ...withChosen(apps, app)]}
          />
        </div>
        <Button kind="secondary">{words.show}</Button>
      </form>
      {app && (
        <p role="status" className="mt-2 text-sm text-ink-soft wrap-anywhere">
          {canFill(app) ? words.filled(stripBidi(app.shownName)) : words.unfit}{' '}
          {app.type === 'public' && words.public}
        </p>
      )}
    </div>
  );
}

type Choice = { id: string; name: string };

async function appsOf(user: { id: string; role: Role }): Promise<Choice[]> {
  if (!may(user.role, 'see-app')) return listContacted(user.id);
  const { rows } = await listClients({ limit: mostApps });
  return rows.map(({ id, shownName }) => ({ id, name: shownName }));
}

const withChosen = (apps: readonly Choice[], app: ClientRecord | null) =>
  [
    ...apps,
    ...(app && !apps.some(({ id }) => id === app.id) ? [{ id: app.id, name: app.shownName }] : []),
  ].map(({ id, name }) => ({ value: id, label: stripBidi(name) }));
