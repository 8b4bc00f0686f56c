import { type LastSync, listDirectories } from '#lib/management/directory/directories.ts';
import { listIn } from '#lib/messages/format.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { AdminNotice } from '../ui/admin-notice.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Fact } from '../ui/fact.tsx';
import { Confirmed } from '../ui/forms/confirmed.tsx';
import { SaveForm } from '../ui/forms/save-form.tsx';
import { hrefOf } from '../ui/href.ts';
import { QuickLink } from '../ui/quick-link.tsx';
import { syncDirectoryNow } from './actions.ts';

/** The directories in the operator's file, which are shown here but changed there. */
export default async function DirectoriesPage() {
  await guardPage('/admin/directories');
  const text = await pageText();
  const all = await listDirectories();
  return (
    <AdminPage
      title={text('directories.title')}
      text={
        <>
          {text('directories.lead')}{' '}
          <a className="gh-link" href="/docs/ldap">
            {text('directories.how')}
          </a>
        </>
      }
      up="/admin/people"
    >
      {all.length === 0 && (
        <EmptyState
          icon="book"
          title={text('directories.none')}
          text={text('directories.noneText')}
        />
      )}
      {all.map((directory) => (
        <DirectoryCard key={directory.id} directory={directory} />
      ))}
    </AdminPage>
  );
}

type Listed = Awaited<ReturnType<typeof listDirectories>>[number];

async function DirectoryCard({ directory }: { directory: Listed }) {
  const text = await pageText();
  const { id, name, people, servers, last } = directory;
  return (
    <Card
      id={`directory-${id}`}
      title={<UserText text={name} />}
      actions={
        <QuickLink className="gh-link" href={hrefOf('/admin/people', { directory: id })}>
          {text('directories.people', { count: people })}
        </QuickLink>
      }
    >
      <div className="grid gap-5">
        {servers.every(({ fault }) => fault !== null) && (
          <AdminNotice kind="warning" title={text('directories.away')}>
            {text('directories.awayText')}
          </AdminNotice>
        )}
        <section>
          <h3 className="font-semibold">{text('directories.servers')}</h3>
          <ul className="divide-y divide-line">
            {servers.map(({ url, fault }) => (
              <li key={url} className="grid gap-1 py-2 wrap-anywhere">
                <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
                  <Badge tone={fault === null ? 'accent' : 'danger'}>
                    {text(fault === null ? 'directories.answers' : 'directories.silent')}
                  </Badge>
                  <span className="min-w-0 font-mono text-sm">{url}</span>
                </p>
                {fault !== null && (
                  <p className="text-sm text-ink-soft" lang="en">
                    {stripBidi(fault)}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
        <section className="grid gap-3">
          <h3 className="font-semibold">{text('directories.sync')}</h3>
          <p>
            {last ? (
              <>
                {text(`directories.outcome.${last.outcome}`)}{' '}
                <When locale={text.locale} at={last.endedAt} />.
              </>
            ) : (
              text('directories.never')
            )}{' '}
            <span className="text-ink-soft">{everyIn(text, directory.everySeconds)}</span>
          </p>
          {last && <Report last={last} />}
          <SyncNow directory={directory} />
        </section>
      </div>
    </Card>
  );
}

function everyIn(text: Text, seconds: number): string {
  const isHours = seconds % 3600 === 0;
  const count = isHours ? seconds / 3600 : Math.round(seconds / 60);
  return text(isHours ? 'directories.everyHours' : 'directories.everyMinutes', { count });
}

const lists = ['changed', 'enabled', 'disabled', 'collisions'] as const;

/** The people whom the last sync changed, or would have. */
async function Report({ last }: { last: LastSync }) {
  const text = await pageText();
  const told = lists.filter((list) => last[list].length > 0);
  const labelOf = (list: (typeof lists)[number]) =>
    list === 'disabled' && last.outcome === 'stopped' ? 'wouldDisable' : list;
  return (
    <>
      {last.why !== null && (
        <p className="text-ink-soft wrap-anywhere" lang="en">
          {stripBidi(last.why)}
        </p>
      )}
      <dl className="grid gap-4">
        <Fact label={text('directories.seen')}>{countIn(text.locale, last.people)}</Fact>
        {told.map((list) => (
          <Fact key={list} label={text(`directories.lists.${labelOf(list)}`)}>
            <span className="wrap-anywhere">{listIn(text.locale, last[list].map(stripBidi))}</span>
          </Fact>
        ))}
      </dl>
    </>
  );
}

/** A sync that has stopped goes on once an admin has looked at who would be disabled. */
async function SyncNow({ directory: { id, name, last } }: { directory: Listed }) {
  const text = await pageText();
  const label = text('directories.syncNow');
  const isStopped = last?.outcome === 'stopped' && last.leaving > 0;
  return (
    <>
      <SaveForm
        action={syncDirectoryNow}
        label={`${label}: ${stripBidi(name)}`}
        fields={{ directory: id }}
        kind="secondary"
        size="small"
        save={label}
      />
      {isStopped && (
        <Confirmed
          action={syncDirectoryNow}
          adds
          fields={{ directory: id, accept: String(last.leaving) }}
          label={text('directories.accept', { count: last.leaving })}
          text={text('directories.acceptText', { count: last.leaving })}
          confirm={text('directories.acceptConfirm')}
        />
      )}
    </>
  );
}
