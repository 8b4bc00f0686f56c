import { apiActs } from '../management/api/acts.ts';
import { usualApi } from '../management/api/fields.ts';
import { clientActs } from '../management/client/acts.ts';
import { apiCalled } from '../oauth/api.ts';
import { listApis } from '../store/apis.ts';
import type { Run } from './run.ts';
import { type ConfigFile, inFile } from './schema.ts';
import { allTexts } from './scopes.ts';

type FileApi = NonNullable<ConfigFile['apis']>[string];

/** Everything that the file can say. What it leaves out gets its default. */
function fieldsOf({ asked_by = [], served_by = [], scopes = {}, ...said }: FileApi) {
  const listed = Object.entries(scopes).map(([name, scope]) => ({
    name,
    ...scope,
    descriptions: allTexts(scope.descriptions),
  }));
  return { ...usualApi, ...said, scopes: listed, clients: asked_by, served_by };
}

export async function applyApis(run: Run): Promise<void> {
  for (const [identifier, said] of Object.entries(run.content.apis ?? {})) {
    const path = ['apis', identifier];
    const before = apiCalled(identifier, await listApis());
    if (!(await checkClients(run, path, said))) continue;
    const fields = fieldsOf(said);
    const at = { path, placeOf };
    const loosens = run.loosening('api', identifier);
    const api = before
      ? await run.perform(apiActs.update, { id: before.id, ...fields }, { ...at, loosens })
      : await run.perform(apiActs.create, { identifier, ...fields }, at);
    if (api) await run.keep({ kind: 'api', key: api.id }, path, identifier, before !== undefined);
  }
}

async function checkClients(run: Run, path: string[], said: FileApi): Promise<boolean> {
  const faults = run.faults.length;
  for (const place of ['asked_by', 'served_by'] as const)
    for (const id of said[place] ?? [])
      await run.perform(clientActs.show, { client_id: id }, { path, placeOf: () => [place] });
  return run.faults.length === faults;
}

const placeOf = (field: string) => {
  if (field === 'identifier') return [];
  return field === 'clients' ? ['asked_by'] : [inFile(field)];
};

export async function dropApis(run: Run): Promise<void> {
  const known = await listApis();
  const named = Object.keys(run.content.apis ?? {}).map((said) => apiCalled(said, known)?.id);
  for (const id of run.dropped('api').filter((key) => !named.includes(key))) {
    if (known.some((api) => api.id === id))
      await run.perform(apiActs.delete, { id }, { path: ['apis'] });
    await run.letGoOf({ kind: 'api', key: id });
  }
}
