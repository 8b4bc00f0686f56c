import { may, type Role } from '#lib/people/roles.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ListSearch } from '../ui/list-search.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import type { Line, LineGroup } from './lines.ts';

type Props = { q: string; role: Role; found: readonly LineGroup[] | null };

/** The search field, with the results below it, grouped by kind. */
export async function SearchView({ q, role, found }: Props) {
  const text = await pageText();
  const seesAll = may(role, 'see-everything');
  return (
    <AdminPage
      title={text('search.title')}
      heading={
        q ? (
          <UserText text={text('search.results', { text: stripBidi(q) })} />
        ) : (
          text('search.title')
        )
      }
      text={q ? undefined : text(seesAll ? 'search.lead' : 'search.support.lead')}
      width="narrow"
    >
      <ListSearch
        action="/admin/search"
        label={text(seesAll ? 'search.field' : 'search.support.field')}
        query={q}
        filters={[]}
      />
      {found && <Results found={found} q={q} role={role} />}
    </AdminPage>
  );
}

type ResultProps = { found: readonly LineGroup[]; q: string; role: Role };

async function Results({ found, q, role }: ResultProps) {
  const text = await pageText();
  if (found.length === 0)
    return (
      <EmptyState
        title={text('search.nothing', { text: stripBidi(q) })}
        text={text(
          may(role, 'see-everything') ? 'search.nothingText' : 'search.support.nothingText',
        )}
      />
    );
  return found.map(({ id, title, lines, more }) => (
    <Card
      key={id}
      id={id}
      title={title}
      actions={
        more && (
          <QuickLink className="gh-link text-sm" href={more.href}>
            {more.label}
          </QuickLink>
        )
      }
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {lines.map((line) => (
          <FoundLine key={line.href} line={line} off={text('clients.disabled')} />
        ))}
      </ul>
    </Card>
  ));
}

function FoundLine({ line, off }: { line: Line; off: string }) {
  const { href, name, about, app, isPerson } = line;
  // With a fragment, a plain link: the browser itself has to unfold the element that it names.
  const To = href.includes('#') ? 'a' : QuickLink;
  return (
    <li className="flex items-center gap-3">
      {app && <AppMark id={app.id} image={app.image} name={name} className="size-9 text-base" />}
      {isPerson && (
        <Avatar id={href.split('/').at(-1) ?? ''} name={name} className="size-9 text-base" />
      )}
      <div className="min-w-0 wrap-anywhere">
        <To className="gh-link font-semibold" href={href}>
          <UserText text={name} />
        </To>{' '}
        {line.off && <Badge tone="danger">{off}</Badge>}
        {about && (
          <p className="text-sm text-ink-soft">
            <UserText text={about} />
          </p>
        )}
      </div>
    </li>
  );
}
