import { allow, disallow, findNamed } from '../management/client/access.ts';
import {
  type ClientChange,
  createClient,
  deleteClient,
  updateClient,
} from '../management/client/clients.ts';
import { setOwner } from '../management/client/contacts.ts';
import { readLogo, removeLogo, setLogo } from '../management/client/logos.ts';
import { setSecrets } from '../management/secret/secrets.ts';
import { clientFieldNames, newClient } from '../oauth/client.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { listedOf } from '../store/access.ts';
import { type ClientRecord, findClientRecord } from '../store/client-list.ts';
import { contactsOf } from '../store/contacts.ts';
import { withoutEnded } from '../store/ended-secrets.ts';
import { findUserByLogin, isEmailVerified } from '../store/users.ts';
import { isStored, pictureNamed } from './pictures.ts';
import type { Run } from './run.ts';
import { type FileApp, inFile } from './schema.ts';
import { type Secrets, secretsOf } from './secrets.ts';

const pathOf = (id: string) => ['apps', id];

export async function applyClients(run: Run): Promise<void> {
  for (const [id, app] of Object.entries(run.content.apps ?? {})) {
    const before = await findClientRecord(id);
    if (before && before.origin !== 'admin') {
      run.fault(pathOf(id), 'This app added itself. It says itself what it is.');
      continue;
    }
    const client = await settle(run, id, app, before);
    await run.keep({ kind: 'client', key: id }, pathOf(id), id, before !== null);
    if (client) await settleRest(run, client, app);
    else await checkGroups(run, id, app);
  }
}

/** What the file says about an app. What it leaves out is as in a new app. */
function changeOf(app: FileApp): ClientChange {
  const said = app as Record<string, unknown>;
  const lists = app.allowed_groups !== undefined || app.allowed_users !== undefined;
  const usual = { ...newClient, ...(lists && { access: 'listed' }) } as Record<string, unknown>;
  const fields = clientFieldNames.map((field) => [field, said[inFile(field)] ?? usual[field]]);
  return {
    ...Object.fromEntries(fields),
    allowInsecureRedirectUri: app.allow_insecure_redirect_uri === true,
  };
}

/** @returns the app once it matches the file; undefined if that was refused */
async function settle(
  run: Run,
  id: string,
  app: FileApp,
  before: ClientRecord | null,
): Promise<ClientRecord | undefined> {
  const path = pathOf(id);
  const change = changeOf(app);
  const secrets = await liveSecretsOf(run, app);
  const hasSecret = proofOf({ ...newClient, ...change }) === 'secret';
  if (!hasSecret && secrets)
    run.fault([...path, 'secret'], 'is not for a public app, and not for one with keys.');
  else if (hasSecret) checkSecrets(run, id, secrets, before);
  const loosening = run.loosening('client', id);
  const done = await run.attempt(
    path,
    () =>
      before
        ? updateClient(id, change, { actor: run.actor, now: run.now(), onLoosening: loosening })
        : createClient({ id, ...change }, run.actor, run.now()),
    (field) => (field === 'id' ? [] : [inFile(field)]),
  );
  const stays = !secrets || secrets.missing.length + secrets.wrong.length > 0;
  if (!done || !hasSecret || stays || secrets.hashes.length === 0) return done?.client;
  return run.attempt(path, () => setSecrets(id, secrets.hashes, run.actor, run.now()));
}

/** Leaves out secrets that were ended by hand: there was a reason, which the file doesn't know. */
async function liveSecretsOf(run: Run, app: FileApp): Promise<Secrets | null> {
  const said = secretsOf(run, app);
  if (said === null) return null;
  const hashes = await withoutEnded(said.hashes);
  return { ...said, hashes, ended: said.hashes.length > hashes.length };
}

/** An app that already has a secret keeps it if a source is missing here: exports have none. */
function checkSecrets(
  run: Run,
  id: string,
  secrets: Secrets | null,
  before: ClientRecord | null,
): void {
  const path = [...pathOf(id), 'secret'];
  const has = before !== null && proofOf(before) === 'secret';
  for (const sentence of secrets?.wrong ?? []) run.fault(path, sentence);
  if (secrets === null && !has)
    run.fault(
      path,
      'is missing. Say where it comes from: secret: {env: NAME}, {file: PATH} or {hash: …}.',
    );
  if (secrets?.ended && has)
    run.notes.push(
      `A secret of ${run.appCalled(id)} that the file names was ended by hand, and stays ended. Let the file name another one.`,
    );
  if (secrets?.ended && !has)
    run.fault(path, 'This secret was ended by hand, and stays ended. Make another one.');
  for (const name of secrets?.missing ?? []) {
    if (has)
      run.notes.push(`The secret of ${run.appCalled(id)} stays as it is: ${name} is not set here.`);
    else run.fault(path, `needs ${name}, which is not set or not there.`);
  }
}

async function settleRest(run: Run, client: ClientRecord, app: FileApp): Promise<void> {
  await settleAccess(run, client.id, app);
  await settleOwner(run, client.id, app);
  const { logo } = app as { logo?: string };
  if (logo === undefined) return;
  await run.attempt(pathOf(client.id), async () => {
    const bytes = await pictureNamed(run, logo);
    if (bytes === null) return client.logo && removeLogo(client.id, run.actor, run.now());
    if (isStored(bytes, client.logo) || (await readLogo(bytes)).hash === client.logo) return;
    return setLogo(client.id, bytes, run.actor, run.now());
  });
}

/** Reports each group that does not exist. */
async function checkGroups(run: Run, id: string, app: FileApp): Promise<boolean> {
  const { allowed_groups: groups = [] } = app as { allowed_groups?: string[] };
  const faults = run.faults.length;
  for (const group of groups)
    await run.attempt(
      pathOf(id),
      () => findNamed({ groups: [group] }),
      () => ['allowed_groups'],
    );
  return run.faults.length === faults;
}

async function settleAccess(run: Run, id: string, app: FileApp): Promise<void> {
  if (!(await checkGroups(run, id, app))) return;
  const { allowed_groups: groups = [], allowed_users: users = [] } = app as {
    allowed_groups?: string[];
    allowed_users?: string[];
  };
  const listed = await listedOf(id);
  const people: string[] = [];
  for (const user of users) {
    const found = await findUserByLogin(user);
    const isListed = listed.people.some((person) => person.id === found?.id);
    if (!found)
      run.notes.push(
        `${user} may use ${run.appCalled(id)} once they are here and the file is applied again.`,
      );
    else if (isListed || run.around.asked || (await isProved(found.id, user)))
      people.push(found.id);
    else run.notes.push(notLetIn(user, run.appCalled(id)));
    if (found) run.people.set(found.id, user);
  }
  await run.attempt(
    pathOf(id),
    async () => {
      const meant = await findNamed({ groups, people });
      for (const person of listed.people) run.people.set(person.id, person.username);
      const gone = {
        groups: listed.groups.filter((group) => !meant.groups.some((one) => one.id === group.id)),
        people: listed.people
          .map((person) => person.id)
          .filter((one) => !meant.people.includes(one)),
      };
      if (gone.groups.length + gone.people.length > 0)
        await disallow(id, gone, run.actor, run.now());
      const more = meant.groups.some((group) => !listed.groups.some((one) => one.id === group.id));
      if (more || meant.people.some((one) => !listed.people.some((person) => person.id === one)))
        await allow(id, meant, run.actor, run.now());
    },
    (field) => [field === 'person' ? 'allowed_users' : 'allowed_groups'],
  );
}

/** An owner who has no account yet becomes the owner when the file is applied again later. */
async function settleOwner(run: Run, id: string, app: FileApp): Promise<void> {
  const { owner, agent } = app as { owner?: string; agent?: boolean };
  if (owner === undefined) {
    if (agent === true && !(await contactsOf(id)).some((one) => one.owner))
      run.fault(
        [...pathOf(id), 'owner'],
        'is missing. Name the person responsible for the agent, by username or email address.',
      );
    return;
  }
  const found = await findUserByLogin(owner);
  const may = found && (run.around.asked || (await isProved(found.id, owner)));
  if (!found || !may) {
    run.notes.push(
      `${owner} answers for ${run.appCalled(id)} once they are here and "npm run cli -- apply" applies the file.`,
    );
    return;
  }
  run.people.set(found.id, owner);
  await run.attempt(pathOf(id), () =>
    setOwner({ clientId: id, userId: found.id }, run.actor, run.now()),
  );
}

/** Anyone can take a free user name, but a verified address belongs to its person. */
const isProved = async (userId: string, said: string) =>
  said.includes('@') && (await isEmailVerified(userId));

const notLetIn = (user: string, app: string) =>
  `${user} may not use ${app} yet: a start lets people in by their verified email address alone. "npm run cli -- apply" lets them in.`;

/** Removes apps that the file kept and no longer names. */
export async function dropClients(run: Run): Promise<void> {
  const said = run.content.apps ?? {};
  for (const id of run.dropped('client').filter((key) => !Object.hasOwn(said, key))) {
    if (await findClientRecord(id))
      await run.attempt(
        ['apps'],
        () => deleteClient(id, run.actor, run.now()),
        () => [],
      );
    await run.letGoOf({ kind: 'client', key: id });
  }
}
