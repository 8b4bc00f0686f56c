import { clientActs } from '../management/client/acts.ts';
import { changeSaid } from '../management/client/fields.ts';
import { showGroup } from '../management/group/groups.ts';
import { setSecrets } from '../management/secret/secrets.ts';
import { clientFieldNames, newClient } from '../oauth/client.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { listedOf } from '../store/access.ts';
import { type ClientRecord, findClientRecord } from '../store/client-list.ts';
import { contactsOf } from '../store/contacts.ts';
import { withoutEnded } from '../store/ended-secrets.ts';
import { soonestEnd } from '../store/ends.ts';
import { findUserByLogin, isEmailVerified } from '../store/users.ts';
import { settlePicture } from './pictures.ts';
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
    if (client) await settleRest(run, id, app, client);
    else await groupsOf(run, id, app);
  }
}

/** What the file says about an app. What it leaves out is as in a new app. */
function fieldsOf(app: FileApp) {
  const said = app as Record<string, unknown>;
  const lists = app.allowed_groups !== undefined || app.allowed_users !== undefined;
  const usual = { ...newClient, ...(lists && { access: 'listed' }) } as Record<string, unknown>;
  const fields = clientFieldNames.map((field) => {
    const name = inFile(field);
    return [name, said[name] ?? usual[field]];
  });
  return {
    ...(Object.fromEntries(fields) as { name: string }),
    allow_insecure_redirect_uri: app.allow_insecure_redirect_uri === true,
  };
}

/** An app as it is now, as far as its logo goes. */
type Settled = Pick<ClientRecord, 'logo'>;

/** @returns the app once it matches the file; undefined if that was refused */
async function settle(
  run: Run,
  id: string,
  app: FileApp,
  before: ClientRecord | null,
): Promise<Settled | undefined> {
  const path = pathOf(id);
  const fields = fieldsOf(app);
  const secrets = await liveSecretsOf(run, app);
  const hasSecret = proofOf({ ...newClient, ...changeSaid(fields) }) === 'secret';
  if (!hasSecret && secrets)
    run.fault([...path, 'secret'], 'is not for a public app, and not for one with keys.');
  else if (hasSecret) checkSecrets(run, id, secrets, before);
  const at = { path, placeOf: (field: string) => (field === 'client_id' ? [] : [field]) };
  const loosens = run.loosening('client', id);
  const said = { client_id: id, ...fields };
  const client = before
    ? await run.perform(clientActs.update, said, { ...at, loosens })
    : await run.perform(clientActs.create, said, at);
  const stays = !secrets || secrets.missing.length + secrets.wrong.length > 0;
  if (!client || !hasSecret || stays || secrets.hashes.length === 0) return client;
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

async function settleRest(run: Run, id: string, app: FileApp, client: Settled): Promise<void> {
  await settleAccess(run, id, app);
  await settleOwner(run, id, app);
  const at = { path: pathOf(id) };
  const said = app.logo as string | undefined;
  const logos = { said, before: client.logo, use: 'logo' } as const;
  await settlePicture(run, at.path, logos, (logo) =>
    run.perform(clientActs.setLogo, { client_id: id, logo }, at),
  );
}

/** The ids of the groups that may use an app; null once each that does not exist is reported. */
async function groupsOf(run: Run, id: string, app: FileApp): Promise<string[] | null> {
  const { allowed_groups: names = [] } = app as { allowed_groups?: string[] };
  const faults = run.faults.length;
  const ids: string[] = [];
  for (const name of names.map((said) => said.trim()).filter(Boolean)) {
    const group = await run.attempt(
      pathOf(id),
      () => showGroup(name),
      () => ['allowed_groups'],
    );
    if (group) ids.push(group.id);
  }
  return run.faults.length === faults ? ids : null;
}

async function settleAccess(run: Run, id: string, app: FileApp): Promise<void> {
  const groups = await groupsOf(run, id, app);
  if (groups === null) return;
  const { allowed_users: users = [], allowed_user_ends: ends = {} } = app as FileList;
  for (const name of Object.keys(ends).filter((each) => !users.includes(each)))
    run.fault([...pathOf(id), 'allowed_user_ends', name], 'is not one of allowed_users.');
  const listed = await listedOf(id);
  const wanted = new Map<string, Date | null>();
  for (const user of users) {
    const found = await findUserByLogin(user);
    const end = ends[user] ?? null;
    // Their time is over, whether or not the file still names them.
    if (end && +end - +run.now() < soonestEnd) continue;
    const isListed = listed.people.some((person) => person.id === found?.id);
    if (!found)
      run.notes.push(
        `${user} may use ${run.appCalled(id)} once they are here and the file is applied again.`,
      );
    else if (isListed || run.around.asked || (await isProved(found.id, user)))
      wanted.set(found.id, end);
    else run.notes.push(notLetIn(user, run.appCalled(id)));
    if (found) run.people.set(found.id, user);
  }
  for (const person of listed.people) run.people.set(person.id, person.username);
  const at = { path: pathOf(id), placeOf: (field: string) => [listIn[field] ?? field] };
  const before = { groups: idsOf(listed.groups), people: idsOf(listed.people) };
  const ids = [...wanted.keys()];
  const gone = differenceOf(before, { groups, people: ids });
  const forGood = ids.filter((personId) => !wanted.get(personId));
  const more = differenceOf({ groups, people: forGood }, before);
  if (gone && !(await run.perform(clientActs.disallow, { client_id: id, ...gone }, at))) return;
  if (more && !(await run.perform(clientActs.allow, { client_id: id, ...more }, at))) return;
  for (const [personId, end] of wanted) {
    const known = listed.people.find((one) => one.id === personId)?.endsAt ?? null;
    if (+(known ?? 0) === +(end ?? 0)) continue;
    const dated = { client_id: id, people: [personId], ends_at: end?.toISOString() ?? null };
    await run.perform(clientActs.allow, dated, at);
  }
}

type FileList = { allowed_users?: string[]; allowed_user_ends?: Record<string, Date | null> };

const listIn: Readonly<Record<string, string>> = {
  groups: 'allowed_groups',
  people: 'allowed_users',
};

const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id);

type Lists = { groups: string[]; people: string[] };

/** What is in the first lists alone; null if nothing is. */
function differenceOf(one: Lists, other: Lists): Lists | null {
  const groups = one.groups.filter((id) => !other.groups.includes(id));
  const people = one.people.filter((id) => !other.people.includes(id));
  return groups.length + people.length > 0 ? { groups, people } : null;
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
  await run.perform(clientActs.update, { client_id: id, owner: found.id }, { path: pathOf(id) });
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
      await run.perform(
        clientActs.delete,
        { client_id: id },
        { path: ['apps'], placeOf: () => [] },
      );
    await run.letGoOf({ kind: 'client', key: id });
  }
}
