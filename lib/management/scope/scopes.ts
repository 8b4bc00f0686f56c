import { offeredLocales } from '../../messages/locales.ts';
import { sentence } from '../../messages/sentence.ts';
import { isSoundName } from '../../oauth/name.ts';
import { isBuiltIn, type ScopeRow, scopeToken } from '../../oauth/scope.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { listApis } from '../../store/apis.ts';
import * as store from '../../store/scope-changes.ts';
import { listScopes as listStored } from '../../store/scopes.ts';
import { listFields } from '../../store/user-fields.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { scopeLoosens } from '../loosening.ts';
import { checkSeen, type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { versionOf } from '../version.ts';

export type Scope = ScopeRow & { builtIn: boolean };

/** All scopes, built-in ones first. */
export async function listScopes(): Promise<Scope[]> {
  return (await listStored()).map((scope) => ({ ...scope, builtIn: isBuiltIn(scope.name) }));
}

/** The scope of this name. @throws AdminRefusal */
export async function showScope(name: string): Promise<Scope> {
  const scope = (await listScopes()).find((row) => row.name === name);
  const said = sentence('refused.scope.missing', { name: name.slice(0, 80) });
  return scope ?? refuseAdmin('name', said, 'missing');
}

/**
 * What deleting a scope affects: the number of clients that list it, and of grants that include it.
 */
export function countOfScope(name: string): Promise<{ clients: number; grants: number }> {
  return store.countScopeUse(name);
}

/** @throws AdminRefusal if an API or one of its scopes has this name: tokens only have the name */
async function checkNoApi(name: string): Promise<void> {
  for (const { name: api, identifier, scopes } of await listApis()) {
    if (name === identifier || name.startsWith(`${identifier}#`))
      refuseAdmin('name', sentence('refused.scope.ofApi', { api }), 'conflict');
    if (scopes.some((scope) => scope.name === name))
      refuseAdmin('name', sentence('refused.scope.inApi', { api, name }), 'conflict');
  }
}

/**
 * Translations are by language of the screens. An empty text removes one, and a translation that is
 * left out stays.
 */
export type ScopeChange = Partial<Omit<ScopeRow, 'name'>>;

/**
 * Creates a scope. If it loosens anything, `onLoosening` is called first and may throw.
 * @throws AdminRefusal
 */
export async function createScope(
  input: ScopeChange & { name: string; description: string },
  actor: Actor,
  now: Date,
  onLoosening?: () => void,
): Promise<Scope> {
  const { isDefault = false, sensitive = false } = input;
  const scope = {
    name: input.name.trim(),
    description: input.description.trim(),
    translations: merged({}, input.translations),
    isDefault,
    sensitive,
  };
  // Dots alone would lead elsewhere in an address.
  const isName = scopeToken.test(scope.name) && !/^\.{1,2}$/.test(scope.name);
  const nameFaults: Faults = isName ? {} : { name: sentence('refused.scope.name') };
  refuseFaults({ ...nameFaults, ...descriptionFaults(scope), ...languageFaults(input) });
  await checkNoApi(scope.name);
  if (scopeLoosens(null, scope)) onLoosening?.();
  const stored = await store.storeScope(
    scope,
    eventBy(actor, 'scope.created', { detail: flat(scope) }),
    now,
  );
  if (stored === 'taken') {
    await checkNoApi(scope.name);
    refuseAdmin('name', sentence('refused.scope.taken', { name: scope.name }), 'conflict');
  }
  return { ...scope, builtIn: false };
}

/**
 * Updates a scope: its description, and whether it is default or sensitive. With `seen` (the
 * version that was edited) a concurrent change is refused. If it loosens anything, `onLoosening` is
 * called first and may throw.
 * @throws AdminRefusal
 */
export async function updateScope(
  name: string,
  change: ScopeChange,
  { actor, now, seen, onLoosening }: Editing<string>,
): Promise<Scope> {
  const before = await showScope(name);
  await checkNotKept({ kind: 'scope', key: name }, actor);
  const said: Omit<ScopeRow, 'name'> = {
    description: change.description?.trim() ?? before.description,
    translations: merged(before.translations, change.translations),
    isDefault: change.isDefault ?? before.isDefault,
    sensitive: change.sensitive ?? before.sensitive,
  };
  const after = { ...before, ...said };
  refuseFaults({ ...descriptionFaults(after), ...languageFaults(change) });
  const changes = differenceOf(before, after);
  checkSeen('scope', versionOfScope(before), seen);
  if (Object.keys(changes).length === 0) return before;
  if (scopeLoosens(before, after)) onLoosening?.();
  const event = eventBy(actor, 'scope.updated', { detail: { name, ...changes } });
  if ((await store.changeScope(after, before, event, now)) === 'changed-meanwhile')
    refuseConflict('scope');
  return after;
}

/** The version of a scope that a form or an API client was shown. */
export const versionOfScope = ({
  name,
  description,
  translations,
  isDefault,
  sensitive,
}: ScopeRow) => {
  const all = { name, description, translations, isDefault, sensitive };
  all satisfies Record<keyof ScopeRow, unknown>;
  return versionOf(...Object.values(all));
};

const isText = (text: string) => isSoundName(text, 300);

function descriptionFaults({ description, translations }: ScopeRow): Faults {
  const fault = sentence('refused.scope.description');
  const wrong = Object.keys(translations).filter((tag) => !isText(translations[tag] ?? ''));
  return {
    ...(isText(description) ? {} : { description: fault }),
    ...Object.fromEntries(wrong.map((tag) => [`descriptions.${tag}`, fault])),
  };
}

/** Only texts in the languages of the screens are ever shown. */
function languageFaults({ translations = {} }: ScopeChange): Faults {
  const known: readonly string[] = offeredLocales;
  const unknown = Object.keys(translations).find((tag) => !known.includes(tag));
  if (unknown === undefined) return {};
  const said = { tag: JSON.stringify(unknown.slice(0, 20)), known: known.join(', ') };
  return { descriptions: sentence('refused.language.unknown', said) };
}

/** Texts in the order of the languages, so that equal texts are stored identically. */
function merged(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const texts = offeredLocales.map((tag) => [tag, (change[tag] ?? before[tag] ?? '').trim()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const fieldOf = (tag: string) => `description.${tag}`;

/** A scope with a separate field for each translation, for the audit log. */
function flat({ translations, ...scope }: ScopeRow): Record<string, unknown> {
  const texts = Object.entries(translations).map(([tag, text]) => [fieldOf(tag), text]);
  return { ...scope, ...Object.fromEntries(texts) };
}

function differenceOf(before: ScopeRow, after: ScopeRow): Record<string, unknown> {
  const [was, is] = [flat(before), flat(after)];
  return difference(was, is, Object.keys({ ...was, ...is }));
}

/**
 * Deletes a scope from every client and grant, and revokes the codes and tokens that carry it.
 * Returns how many were affected. `seen` as in `updateScope`.
 * @throws AdminRefusal for a built-in scope, and for one that fields of people belong to
 */
export async function deleteScope(
  name: string,
  actor: Actor,
  now: Date,
  seen?: string,
): Promise<{ clients: number; grants: number }> {
  const scope = await showScope(name);
  await checkNotKept({ kind: 'scope', key: name }, actor);
  checkSeen('scope', versionOfScope(scope), seen);
  if (scope.builtIn) refuseAdmin('name', sentence('refused.scope.builtIn', { name }));
  await checkNoFields(name);
  const count = await store.countScopeUse(name);
  const event = eventBy(actor, 'scope.deleted', { detail: { name, ...count } });
  if (!(await store.removeScope(name, event, now, seen === undefined ? undefined : scope))) {
    await checkNoFields(name);
    await showScope(name);
    refuseConflict('scope');
  }
  return count;
}

/** @throws AdminRefusal naming the fields of people that belong to a scope */
async function checkNoFields(name: string): Promise<void> {
  const labels = (await listFields()).flatMap(({ scope, label }) =>
    scope === name ? [sentence('refused.quoted', { text: label })] : [],
  );
  if (labels.length > 0) refuseAdmin('name', sentence('refused.scope.hasFields', { labels }));
}
