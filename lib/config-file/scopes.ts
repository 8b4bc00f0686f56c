import { scopeActs } from '../management/scope/acts.ts';
import { offeredLocales } from '../messages/locales.ts';
import { isBuiltIn } from '../oauth/scope.ts';
import { listScopes } from '../store/scopes.ts';
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
    const usual =
      before && isBuiltIn(name)
        ? { description: before.description }
        : { description: '', default: false, sensitive: false };
    const fields = { name, ...usual, ...said, descriptions: allTexts(said.descriptions) };
    const at = { path: ['scopes', name], placeOf };
    const loosens = run.loosening('scope', name);
    await (before
      ? run.perform(scopeActs.update, fields, { ...at, loosens })
      : run.perform(scopeActs.create, fields, at));
    await run.keep({ kind: 'scope', key: name }, at.path, name, before !== undefined);
  }
}

export async function dropScopes(run: Run): Promise<void> {
  const known = new Map((await listScopes()).map((scope) => [scope.name, scope]));
  for (const name of run.dropped('scope')) {
    if (known.has(name) && !isBuiltIn(name))
      await run.perform(scopeActs.delete, { name }, { path: ['scopes', name], placeOf: () => [] });
    else run.letGo.push({ kind: 'scope', name });
    await run.letGoOf({ kind: 'scope', key: name });
  }
}
