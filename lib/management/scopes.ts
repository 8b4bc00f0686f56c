import { builtInScopes, type ScopeRow, scopeToken } from '../oauth/scope.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import * as store from '../store/scope-changes.ts';
import { listScopes as listStored } from '../store/scopes.ts';
import { difference } from './difference.ts';
import { scopeLoosens } from './loosening.ts';
import { type Faults, refuseAdmin, refuseConflict, refuseFaults } from './refusal.ts';

export type Scope = ScopeRow & { builtIn: boolean };

const isBuiltIn = (name: string) => (builtInScopes as readonly string[]).includes(name);

/** All scopes, built-in ones first. */
export async function listScopes(): Promise<Scope[]> {
  return (await listStored()).map((scope) => ({ ...scope, builtIn: isBuiltIn(scope.name) }));
}

/** The scope of this name. @throws AdminRefusal */
export async function showScope(name: string): Promise<Scope> {
  const scope = (await listScopes()).find((row) => row.name === name);
  return scope ?? refuseAdmin('name', `There is no scope "${name.slice(0, 80)}".`);
}

/**
 * What deleting a scope affects: the number of clients that list it, and of grants that include it.
 */
export function countOfScope(name: string): Promise<{ clients: number; grants: number }> {
  return store.countScopeUse(name);
}

export type ScopeChange = { description?: string; isDefault?: boolean; sensitive?: boolean };

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
    isDefault,
    sensitive,
  };
  const nameFaults: Faults = scopeToken.test(scope.name)
    ? {}
    : {
        name: 'Use 1 to 128 visible ASCII characters in a scope name, without " and \\ (RFC 6749 section 3.3).',
      };
  refuseFaults({ ...nameFaults, ...descriptionFaults(scope) });
  if (scopeLoosens(null, scope)) onLoosening?.();
  const stored = await store.storeScope(
    scope,
    eventBy(actor, 'scope.created', { detail: { ...scope } }),
    now,
  );
  if (stored === 'taken') refuseAdmin('name', `There is already a scope "${scope.name}".`);
  return { ...scope, builtIn: false };
}

/**
 * Updates a scope: its description, and whether it is default or sensitive. With `seen` (the scope
 * as edited) a concurrent change is refused. If it loosens anything, `onLoosening` is called first
 * and may throw.
 * @throws AdminRefusal
 */
export async function updateScope(
  name: string,
  change: ScopeChange,
  actor: Actor,
  now: Date,
  seen?: Required<ScopeChange>,
  onLoosening?: () => void,
): Promise<Scope> {
  const before = await showScope(name);
  const after = {
    ...before,
    description: change.description?.trim() ?? before.description,
    isDefault: change.isDefault ?? before.isDefault,
    sensitive: change.sensitive ?? before.sensitive,
  };
  refuseFaults(descriptionFaults(after));
  const changes = difference(before, after, ['description', 'isDefault', 'sensitive']);
  const changedSince =
    seen &&
    Object.keys(difference(seen, before, ['description', 'isDefault', 'sensitive'])).length > 0;
  if (changedSince) refuseConflict('scope');
  if (Object.keys(changes).length === 0) return before;
  if (scopeLoosens(before, after)) onLoosening?.();
  const event = eventBy(actor, 'scope.updated', { detail: { name, ...changes } });
  if ((await store.changeScope(after, before, event, now)) === 'changed-meanwhile')
    refuseConflict('scope');
  return after;
}

function descriptionFaults({ description }: ScopeRow): Faults {
  if (/^\P{C}{1,300}$/u.test(description)) return {};
  return {
    description:
      'Say in 1 to 300 characters what an app can do with it. People read this on the consent page.',
  };
}

/**
 * Deletes a scope from every client and grant, and revokes the codes and tokens that carry it.
 * Returns how many were affected.
 * @throws AdminRefusal for a built-in scope
 */
export async function deleteScope(
  name: string,
  actor: Actor,
  now: Date,
): Promise<{ clients: number; grants: number }> {
  const scope = await showScope(name);
  if (scope.builtIn) refuseAdmin('name', `The scope "${name}" is built in and can’t be deleted.`);
  const count = await store.countScopeUse(name);
  await store.removeScope(
    name,
    eventBy(actor, 'scope.deleted', { detail: { name, ...count } }),
    now,
  );
  return count;
}
