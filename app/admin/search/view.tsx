import type { ReactNode } from 'react';
import type { ListedGroup } from '#lib/management/group/groups.ts';
import type { Found } from '#lib/management/search.ts';
import { clientWords } from '#lib/messages/admin/clients.ts';
import { totalOf } from '#lib/messages/admin/frame.ts';
import { groupWords } from '#lib/messages/admin/groups.ts';
import { searchWords, supportSearchWords } from '#lib/messages/admin/search.ts';
import { settingWords } from '#lib/messages/admin/settings.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { logoAt } from '#lib/store/logos.ts';
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
import { ListSearch } from '../ui/list-search.tsx';
import { hrefOf } from '../ui/pager.tsx';
import { QuickLink } from '../ui/quick-link.tsx';

type Props = { text: string; role: Role; found: Found | null };

/** The field, and below it what was found, by its kind. */
export function SearchView({ text, role, found }: Props) {
  const words = wordsFor(role);
  return (
    <AdminPage
      title={words.title}
      heading={text ? <UserText text={words.results(stripBidi(text))} /> : words.title}
      text={text ? undefined : words.lead}
      width="narrow"
    >
      <ListSearch action="/admin/search" label={words.field} query={text} filters={[]} />
      {found && <Results found={found} text={text} words={words} />}
    </AdminPage>
  );
}

type ResultProps = { found: Found; text: string; words: Words };

function Results({ found, text, words }: ResultProps) {
  const groups = groupsOf(found, text).filter(({ lines }) => lines.length > 0);
  if (groups.length === 0)
    return <EmptyState title={words.nothing(stripBidi(text))} text={words.nothingText} />;
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

type Words = ReturnType<typeof wordsFor>;

/** What is found depends on who looks. */
const wordsFor = (role: Role) =>
  may(role, 'see-everything') ? searchWords : { ...searchWords, ...supportSearchWords };

function groupsOf({ apps, people, groups, scopes, apis, settings }: Found, q: string): Group[] {
  return [
    {
      id: 'apps',
      title: searchWords.apps,
      more: apps.more && { label: searchWords.more.apps, href: hrefOf('/admin/clients', { q }) },
      lines: apps.rows.map((app) => (
        <Line
          key={app.id}
          href={clientPage(app.id)}
          name={app.shownName}
          about={`${kindOf(app)} · ${app.id}`}
          picture={
            <Avatar
              name={app.shownName}
              image={logoAt(app.id, app.logo)}
              shape="square"
              className="size-9 text-base"
            />
          }
          badge={app.disabledAt && clientWords.disabled}
        />
      )),
    },
    {
      id: 'people',
      title: searchWords.people,
      more: people.more && { label: searchWords.more.people, href: hrefOf('/admin/people', { q }) },
      lines: people.rows.map((person) => (
        <Line
          key={person.id}
          href={`/admin/people/${person.id}`}
          name={person.name || person.username}
          about={person.name ? `${person.username} · ${person.email}` : person.email}
          picture={<Avatar name={person.name || person.username} className="size-9 text-base" />}
          badge={person.disabledAt && clientWords.disabled}
        />
      )),
    },
    {
      id: 'groups',
      title: searchWords.groups,
      more: groups.more && { label: searchWords.more.groups, href: hrefOf('/admin/groups', { q }) },
      lines: groups.rows.map((group) => (
        <Line
          key={group.id}
          href={`/admin/groups/${group.id}`}
          name={group.name}
          about={group.description ?? membersOf(group)}
        />
      )),
    },
    {
      id: 'scopes',
      title: searchWords.scopes,
      lines: scopes.rows.map((scope) => (
        <Line
          key={scope.name}
          href={scopePage(scope.name)}
          name={scope.name}
          about={describeScope(scope, 'en')}
        />
      )),
    },
    {
      id: 'apis',
      title: searchWords.apis,
      more: apis.more && { label: searchWords.more.apis, href: hrefOf('/admin/apis', { q }) },
      lines: apis.rows.map(({ id, name, identifier }) => (
        <Line key={id} href={`/admin/apis/${id}`} name={name} about={identifier} />
      )),
    },
    {
      id: 'settings',
      title: searchWords.settings,
      lines: settings.rows.map(({ key, name, about, effect }) => (
        <Line
          key={key}
          href={addressOf({ key, about })}
          name={settingWords.names[key] ?? name}
          about={effect}
        />
      )),
    },
  ];
}

function membersOf({ facts: { members } }: ListedGroup): string {
  return totalOf(members, groupWords.memberOne, groupWords.memberSeveral);
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
