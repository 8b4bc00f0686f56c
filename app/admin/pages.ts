import { needOf, type RoleNeed } from '#lib/identity/guards.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import type { Permission } from '#lib/people/roles.ts';
import type { IconName } from '../ui/line-icon.tsx';
import { type SettingsTab, settingsAt, settingsTabs } from './settings/tabs.ts';

export type Page = {
  opens: RoleNeed;
  /** Its name in the navigation, in the palette and in links back to it. */
  title?: PlainKey;
  /** Only sections of the navigation have one. */
  icon?: IconName;
  /** The section begins a group of sections that belong together. */
  apart?: true;
  /** Further addresses that belong to the section. */
  within?: readonly string[];
  /** What the page begins: the palette lists it among the actions. */
  task?: PlainKey;
  /** Further words by which the palette finds the page. It lists no page without this. */
  words?: PlainKey | '';
};

const everything = 'see-everything';
const exported = 'fresh-see-everything';

const settingsPages = Object.fromEntries(
  settingsTabs.map((tab) => [
    settingsAt(tab),
    {
      opens: everything,
      title: `settings.tabs.${tab}.label`,
      words: `search.words.settings.${tab}`,
    },
  ]),
) as Record<`/admin/settings/${SettingsTab}`, Page>;

/**
 * Each page and route of the dashboard: who may open it, and how it is named. Its guard, the links
 * to it, the navigation and the palette read this table. Of two rows that match an address the
 * first one counts; an address without a row is for admins.
 */
export const pages = {
  // The sections, in the order of the navigation.
  '/admin': { opens: 'enter', title: 'frame.home', icon: 'house', words: '' },
  '/admin/clients': {
    opens: everything,
    title: 'clients.title',
    icon: 'apps',
    apart: true,
    words: 'search.words.apps',
  },
  '/admin/apis': { opens: everything, title: 'apis.title', icon: 'code', words: '' },
  '/admin/scopes': { opens: everything, title: 'scopes.title', icon: 'key', words: '' },
  '/admin/people': {
    opens: 'see-people',
    title: 'people.title',
    icon: 'people',
    apart: true,
    words: 'search.words.people',
    within: ['/admin/fields', '/admin/directories', '/admin/terms'],
  },
  '/admin/groups': { opens: everything, title: 'groups.title', icon: 'groups', words: '' },
  '/admin/providers': { opens: everything, title: 'providers.title', icon: 'plug', words: '' },
  '/admin/approvals': { opens: everything, title: 'approvals.title', icon: 'check', words: '' },
  '/admin/traces': {
    opens: everything,
    title: 'attempts.title',
    icon: 'pulse',
    apart: true,
    words: 'search.words.attempts',
  },
  '/admin/audit': {
    opens: everything,
    title: 'audit.title',
    icon: 'book',
    words: 'search.words.audit',
  },
  '/admin/settings': {
    opens: everything,
    title: 'settings.title',
    icon: 'gear',
    apart: true,
    words: '',
  },
  '/admin/outbox': { opens: 'admin', title: 'outbox.title', icon: 'envelope', apart: true },
  // Other pages that the palette finds.
  '/admin/people/batches': { opens: 'see-people', title: 'batches.title', words: '' },
  '/admin/people/unused': {
    opens: everything,
    title: 'unused.title',
    words: 'search.words.unused',
  },
  '/admin/deleted': {
    opens: everything,
    title: 'deleted.title',
    words: 'search.words.deleted',
  },
  '/admin/approvals/matrix': {
    opens: everything,
    title: 'matrix.title',
    words: 'search.words.matrix',
  },
  '/admin/terms': { opens: everything, title: 'termsOfUse.title', words: 'search.words.terms' },
  '/admin/fields': { opens: everything, title: 'fields.title', words: 'search.words.fields' },
  '/admin/directories': {
    opens: everything,
    title: 'directories.title',
    words: 'search.words.directories',
  },
  ...settingsPages,
  '/admin/settings/look/words': {
    opens: everything,
    title: 'words.title',
    words: 'search.words.words',
  },
  '/admin/settings/keys': { opens: everything, title: 'keys.title', words: 'search.words.keys' },
  // What can be begun.
  '/admin/clients/new': { opens: 'admin', task: 'clients.add', words: 'search.words.addApp' },
  '/admin/people/invite': {
    opens: 'see-people',
    task: 'invite.title',
    words: 'search.words.invite',
  },
  '/admin/people/import': {
    opens: 'help-people',
    title: 'import.title',
    task: 'import.palette',
    words: 'search.words.import',
  },
  '/admin/people/new': { opens: 'admin', task: 'people.add', words: 'search.words.addPerson' },
  '/admin/groups/new': { opens: 'admin', task: 'groups.add', words: 'search.words.addGroup' },
  '/admin/providers/new': {
    opens: 'admin',
    task: 'providers.add',
    words: 'search.words.addProvider',
  },
  '/admin/apis/new': { opens: 'admin', task: 'apis.add', words: 'search.words.addApi' },
  '/admin/scopes/new': { opens: 'admin', task: 'scopes.add', words: 'search.words.addScope' },
  '/admin/terms/new': { opens: 'admin', task: 'termsOfUse.newTitle', words: '' },
  '/admin/fields/new': { opens: 'admin', task: 'fields.add', words: 'search.words.addField' },
  // All others.
  '/admin/search': { opens: 'enter' },
  '/admin/find': { opens: 'enter' },
  '/admin/export': { opens: everything },
  '/admin/judge': { opens: 'admin' },
  '/admin/set-up': { opens: 'admin' },
  '/admin/set-up/server': { opens: 'admin' },
  '/admin/set-up/you': { opens: 'admin' },
  '/admin/set-up/app': { opens: 'admin' },
  '/admin/people/import/program': { opens: 'admin', title: 'move.title' },
  '/admin/people/import/program/[fileId]': { opens: 'admin' },
  '/admin/people/import/[listId]': { opens: 'help-people' },
  '/admin/people/batches/[batchId]': { opens: 'see-people' },
  '/admin/people/batches/[batchId]/undo': { opens: 'help-people' },
  '/admin/people/many/[operation]': { opens: 'help-people' },
  '/admin/people/[userId]': { opens: 'see-people' },
  '/admin/people/[userId]/leave': { opens: everything },
  '/admin/clients/[clientId]': { opens: everything },
  '/admin/clients/[clientId]/connect': { opens: everything },
  '/admin/clients/[clientId]/access': { opens: everything },
  '/admin/clients/[clientId]/activity': { opens: everything },
  '/admin/clients/[clientId]/preview': { opens: everything },
  '/admin/clients/[clientId]/settings': { opens: everything },
  '/admin/clients/[clientId]/try': { opens: 'fresh-admin' },
  '/admin/groups/[groupId]': { opens: everything },
  '/admin/providers/[providerId]': { opens: everything },
  '/admin/providers/[providerId]/try': { opens: 'fresh-admin' },
  '/admin/scopes/[name]': { opens: everything },
  '/admin/settings/look/words/[place]': { opens: everything },
  '/admin/terms/[version]': { opens: everything },
  '/admin/scopes/[name]/edit': { opens: everything },
  '/admin/apis/[apiId]': { opens: everything },
  '/admin/fields/[field]': { opens: everything },
  '/admin/fields/[field]/edit': { opens: everything },
  '/admin/traces/[traceId]': { opens: everything },
  '/admin/audit/[eventId]': { opens: everything },
  '/admin/approvals/export': { opens: exported },
  '/admin/approvals/matrix/export': { opens: exported },
  '/admin/audit/export': { opens: exported },
  '/admin/clients/export': { opens: exported },
  '/admin/people/export': { opens: exported },
  '/admin/terms/export': { opens: exported },
  '/admin/traces/export': { opens: exported },
} as const satisfies Readonly<Record<string, Page>>;
export type PagePath = keyof typeof pages;

export const pageRows: readonly [string, Page][] = Object.entries(pages);
const patterns = pageRows.map(([pattern, page]) => [pattern.split('/'), page] as const);

export function needToOpen(href: string): Permission {
  const parts = href.replace(/[?#].*$/s, '').split('/');
  const fits = (part: string, index: number) => part.startsWith('[') || part === parts[index];
  const found = patterns.find(([own]) => own.length === parts.length && own.every(fits));
  return needOf(found?.[1].opens ?? 'admin').permission;
}
