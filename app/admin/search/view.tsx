import type { ReactNode } from 'react';
import type { ListedGroup } from '#lib/management/group/groups.ts';
import type { Found } from '#lib/management/search.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { logoAt } from '#lib/store/logos.ts';
import { pageText } from '../../locale.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { describeScope } from '../../ui/scope-list.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { clientPage, scopePage } from '../addresses.ts';
import { kindOf } from '../clients/kind-of.ts';
import { addressOf } from '../settings/tabs.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { hrefOf } from '../ui/href.ts';
import { ListSearch } from '../ui/list-search.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

type Props = { q: string; role: Role; found: Found | null };

/** The field, and below it what was found, by its kind. */
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

type ResultProps = { found: Found; q: string; role: Role };

async function Results({ found, q, role }: ResultProps) {
  const text = await pageText();
  const groups = groupsOf(text, found, q).filter(({ lines }) => lines.length > 0);
  if (groups.length === 0)
    return (
      <EmptyState
        title={text('search.nothing', { text: stripBidi(q) })}
        text={text(
          may(role, 'see-everything') ? 'search.nothingText' : 'search.support.nothingText',
        )}
      />
    );
  return groups.map(({ id, title, lines, more }) => (
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
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">{lines}</ul>
    </Card>
  ));
}

type Group = {
  id: string;
  title: string;
  lines: ReactNode[];
  more?: { label: string; href: string } | false;
};

function groupsOf(
  text: Text,
  { apps, people, groups, scopes, apis, settings }: Found,
  q: string,
): Group[] {
  return [
    {
      id: 'apps',
      title: text('search.apps'),
      more: apps.more && { label: text('search.more.apps'), href: hrefOf('/admin/clients', { q }) },
      lines: apps.rows.map((app) => (
        <Line
          key={app.id}
          href={clientPage(app.id)}
          name={app.shownName}
          about={`${kindOf(text, app)} · ${app.id}`}
          picture={
            <Avatar
              name={app.shownName}
              image={logoAt(app.id, app.logo)}
              shape="square"
              className="size-9 text-base"
            />
          }
          badge={app.disabledAt && text('clients.disabled')}
        />
      )),
    },
    {
      id: 'people',
      title: text('search.people'),
      more: people.more && {
        label: text('search.more.people'),
        href: hrefOf('/admin/people', { q }),
      },
      lines: people.rows.map((person) => (
        <Line
          key={person.id}
          href={`/admin/people/${person.id}`}
          name={person.name || person.username}
          about={person.name ? `${person.username} · ${person.email}` : person.email}
          picture={<Avatar name={person.name || person.username} className="size-9 text-base" />}
          badge={person.disabledAt && text('clients.disabled')}
        />
      )),
    },
    {
      id: 'groups',
      title: text('search.groups'),
      more: groups.more && {
        label: text('search.more.groups'),
        href: hrefOf('/admin/groups', { q }),
      },
      lines: groups.rows.map((group) => (
        <Line
          key={group.id}
          href={`/admin/groups/${group.id}`}
          name={group.name}
          about={group.description ?? membersOf(text, group)}
        />
      )),
    },
    {
      id: 'scopes',
      title: text('search.scopes'),
      lines: scopes.rows.map((scope) => (
        <Line
          key={scope.name}
          href={scopePage(scope.name)}
          name={scope.name}
          about={describeScope(scope, text.locale)}
        />
      )),
    },
    {
      id: 'apis',
      title: text('search.apis'),
      more: apis.more && { label: text('search.more.apis'), href: hrefOf('/admin/apis', { q }) },
      lines: apis.rows.map(({ id, name, identifier }) => (
        <Line key={id} href={`/admin/apis/${id}`} name={name} about={identifier} />
      )),
    },
    {
      id: 'settings',
      title: text('search.settings'),
      lines: settings.rows.map(({ key, about }) => (
        <Line
          key={key}
          href={addressOf({ key, about })}
          name={text(`settings.names.${key}`)}
          about={text(`settings.hints.${key}`)}
        />
      )),
    },
  ];
}

function membersOf(text: Text, { facts: { members } }: ListedGroup): string {
  return text('groups.memberTotal', ofTotal(members));
}

type LineProps = {
  href: string;
  name: string;
  about: string;
  picture?: ReactNode;
  badge?: ReactNode;
};

function Line({ href, name, about, picture, badge }: LineProps) {
  // Only the browser itself unfolds what a fragment names.
  const To = href.includes('#') ? 'a' : QuickLink;
  return (
    <li className="flex items-center gap-3">
      {picture}
      <div className="min-w-0 wrap-anywhere">
        <To className="gh-link font-semibold" href={href}>
          <UserText text={name} />
        </To>{' '}
        {badge && <Badge tone="danger">{badge}</Badge>}
        <p className="text-sm text-ink-soft">
          <UserText text={about} />
        </p>
      </div>
    </li>
  );
}
