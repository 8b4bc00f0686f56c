import {
  createScope,
  deleteScope,
  listScopes,
  type ScopeChange,
  updateScope,
} from '../management/scope/scopes.ts';
import { offeredLocales } from '../messages/locales.ts';
import type { Run } from './run.ts';

/** Texts by language. A language that the file leaves out has none. */
export function allTexts(said: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...Object.fromEntries(offeredLocales.map((tag) => [tag, ''])), ...said };
}

const placeOf = (field: string) => field.split('.').filter((name) => name !== 'name');

export async function applyScopes(run: Run): Promise<void> {
  const known = new Map((await listScopes()).map((scope) => [scope.name, scope]));
  for (const [name, said] of Object.entries(run.content.scopes ?? {})) {
    const before = known.get(name);
    const usual = before?.builtIn ? undefined : false;
    const change = {
      description: said.description ?? (before?.builtIn ? before.description : ''),
      translations: allTexts(said.descriptions),
      isDefault: said.default ?? usual,
      sensitive: said.sensitive ?? usual,
    } satisfies Record<keyof ScopeChange, unknown>;
    const loosening = run.loosening('scope', name);
    const path = ['scopes', name];
    await run.attempt(
      path,
      () =>
        before
          ? updateScope(name, change, { actor: run.actor, now: run.now(), onLoosening: loosening })
          : createScope({ name, ...change }, run.actor, run.now()),
      placeOf,
    );
    await run.keep({ kind: 'scope', key: name }, path, name, before !== undefined);
  }
}

export async function dropScopes(run: Run): Promise<void> {
  const known = new Map((await listScopes()).map((scope) => [scope.name, scope]));
  for (const name of run.dropped('scope')) {
    const scope = known.get(name);
    if (scope && !scope.builtIn)
      await run.attempt(
        ['scopes', name],
        () => deleteScope(name, run.actor, run.now()),
        () => [],
      );
    else run.letGo.push({ kind: 'scope', name });
    await run.letGoOf({ kind: 'scope', key: name });
  }
}
