import { createApi } from '#lib/management/api/apis.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { deleteUser, disableUser, setAdmin } from '#lib/management/user/users.ts';
import { actor, newPerson } from '../management/people.ts';
import { endWork } from './work-on.ts';

/** What one caller wants to do, and to which row. */
export type Wanted = {
  do: 'create' | 'rename' | 'delete' | 'disable' | 'demote' | 'group' | 'api' | 'scope';
  name: string;
  id?: string;
};
/** In the order of the callers. */
export type Outcomes = ('got' | 'refused' | `failed: ${string}`)[];

const now = () => new Date();
const description = 'See it';
const acts: Record<Wanted['do'], (wanted: Wanted) => Promise<unknown>> = {
  create: ({ name }) => newPerson({ username: name, email: `${crypto.randomUUID()}@example.org` }),
  rename: ({ name, id = '' }) => updateUser(id, { username: name }, actor, now()),
  delete: ({ id = '' }) => deleteUser(id, actor, now()),
  disable: ({ id = '' }) => disableUser(id, actor, now()),
  demote: ({ id = '' }) => setAdmin(id, false, actor, now()),
  group: ({ name }) => createGroup({ name }, actor, now()),
  api: ({ name }) =>
    createApi(
      {
        identifier: `https://${crypto.randomUUID()}.example`,
        name,
        scopes: [{ name, description }],
      },
      actor,
      now(),
    ),
  scope: ({ name }) => createScope({ name, description }, actor, now()),
};

// One of several servers: immediately does what it is sent, and sends back the outcomes.
process.on('message', async (all: Wanted[] | 'end') => {
  if (all === 'end') return void endWork().then(() => process.disconnect());
  const outcomes: Outcomes = await Promise.all(
    all.map((wanted) =>
      acts[wanted.do](wanted).then(
        () => 'got' as const,
        (error) => (error instanceof AdminRefusal ? 'refused' : (`failed: ${error}` as const)),
      ),
    ),
  );
  process.send?.(outcomes);
});
process.send?.('ready');
