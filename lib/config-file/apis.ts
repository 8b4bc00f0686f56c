import { addApiClients, removeApiClients } from '../management/api/api-clients.ts';
import {
  type ApiChange,
  type ApiRecord,
  createApi,
  deleteApi,
  listApis,
  showApi,
  updateApi,
} from '../management/api/apis.ts';
import { showClient } from '../management/client/clients.ts';
import { apiCalled } from '../oauth/api.ts';
import type { Run } from './run.ts';
import type { ConfigFile } from './schema.ts';
import { allTexts } from './scopes.ts';

type FileApi = NonNullable<ConfigFile['apis']>[string];

const places: Record<string, string[]> = { identifier: [] };

/** Everything that the file can say. What it leaves out gets its default. */
function changeOf(said: FileApi): Required<ApiChange> {
  return {
    name: said.name,
    description: said.description ?? null,
    tokenFormat: said.token_format ?? 'opaque',
    accessTokenTtl: said.access_token_ttl ?? null,
    access: said.access ?? 'admins',
    scopes: Object.entries(said.scopes ?? {}).map(([name, { description, descriptions }]) => ({
      name,
      description,
      translations: allTexts(descriptions),
    })),
  };
}

export async function applyApis(run: Run): Promise<void> {
  for (const [identifier, said] of Object.entries(run.content.apis ?? {})) {
    const path = ['apis', identifier];
    const before = apiCalled(identifier, await listApis());
    if (!(await checkClients(run, path, said))) continue;
    const api = before ? await change(run, before, said) : await make(run, identifier, said);
    if (api) await run.keep({ kind: 'api', key: api.id }, path, identifier, before !== undefined);
  }
}

/** Reports each client that does not exist. */
async function checkClients(run: Run, path: string[], said: FileApi): Promise<boolean> {
  const faults = run.faults.length;
  for (const place of ['asked_by', 'served_by'] as const)
    for (const id of said[place] ?? [])
      await run.attempt(
        path,
        () => showClient(id),
        () => [place],
      );
  return run.faults.length === faults;
}

const placeOf = (field: string) =>
  places[field] ?? [field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

function make(run: Run, identifier: string, said: FileApi): Promise<ApiRecord | undefined> {
  const lists = { askedBy: said.asked_by, servedBy: said.served_by };
  const input = { identifier, ...changeOf(said), ...lists };
  return run.attempt(
    ['apis', identifier],
    () => createApi(input, run.actor, run.now()),
    (field) => (field === 'clients' ? ['asked_by'] : placeOf(field)),
  );
}

async function change(run: Run, before: ApiRecord, said: FileApi): Promise<ApiRecord | undefined> {
  const { id, identifier } = before;
  const path = ['apis', identifier];
  const loosening = run.loosening('api', identifier);
  const changed = await run.attempt(
    path,
    () =>
      updateApi(id, changeOf(said), { actor: run.actor, now: run.now(), onLoosening: loosening }),
    placeOf,
  );
  if (!changed) return undefined;
  for (const [kind, listed, wanted, place] of [
    ['asks', before.askedBy, said.asked_by ?? [], 'asked_by'],
    ['serves', before.servedBy, said.served_by ?? [], 'served_by'],
  ] as const) {
    const gone = listed.filter((client) => !wanted.includes(client));
    await run.attempt(
      path,
      async () => {
        await removeApiClients(id, kind, gone, { actor: run.actor, now: run.now() });
        await addApiClients(id, kind, wanted, {
          actor: run.actor,
          now: run.now(),
          onLoosening: loosening,
        });
      },
      () => [place],
    );
  }
  return changed;
}

export async function dropApis(run: Run): Promise<void> {
  const known = await listApis();
  const named = Object.keys(run.content.apis ?? {}).map((said) => apiCalled(said, known)?.id);
  for (const id of run.dropped('api').filter((key) => !named.includes(key))) {
    if (known.some((api) => api.id === id))
      await run.attempt(['apis'], async () =>
        deleteApi((await showApi(id)).id, run.actor, run.now()),
      );
    await run.letGoOf({ kind: 'api', key: id });
  }
}
