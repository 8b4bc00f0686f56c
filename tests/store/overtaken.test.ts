import { expect, test } from 'vitest';
import { createApi } from '#lib/management/api/apis.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { setContacts, setOwner } from '#lib/management/client/contacts.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup, deleteGroup } from '#lib/management/group/groups.ts';
import { addMembers, listMembers, removeMembers } from '#lib/management/group/members.ts';
import { unlinkIdentityOf } from '#lib/management/identity/identities.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
import { endSession } from '#lib/management/session/sessions.ts';
import { leave } from '#lib/management/user/leaving.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import {
  accountFrom,
  createUser,
  deleteUser,
  setAdmin,
  setRole,
} from '#lib/management/user/users.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { allow } from '#lib/store/access.ts';
import type { Actor } from '#lib/store/actor.ts';
import { read, write } from '#lib/store/engine/database.ts';
import {
  readFactors,
  removeAllFactors,
  removePasskey,
  removeTotp,
  storeTotp,
} from '#lib/store/factors.ts';
import { listIdentities, unlinkIdentity } from '#lib/store/identities.ts';
import { storePasskey } from '#lib/store/passkeys.ts';
import { replaceRecoveryCodes } from '#lib/store/recovery-codes.ts';
import { type NewSession, renewSession, storeSession } from '#lib/store/sessions.ts';
import { storeAll } from '#lib/store/settings.ts';
import { findUser } from '#lib/store/users.ts';
import { actor, newApp, newPerson, password, unique } from '../management/people.ts';
import { store, workingOf } from '../support/authorizations.ts';
import { basisOf, noFactors } from '../support/factors.ts';
import { approve } from '../support/grants.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { overtaken } from '../support/overtaken.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';

/*
 * Two changes, each of which is right on its own. The first is done but not committed when the
 * second begins. The second is either refused because of the earlier state, or waits at a row or an
 * index and then judges by the new state.
 */

const now = () => new Date();
const description = 'See it';
const rename = (id: string, username: string) => updateUser(id, { username }, actor, now());
/** Creates an account whose password was hashed beforehand, as the act does ahead of transactions. */
async function creating(username: string): Promise<() => Promise<unknown>> {
  const input = { username, email: `${unique('a')}@example.org`, password };
  const account = await accountFrom(input);
  return () => createUser(input, actor, now(), account);
}
const scope = (name: string) => createScope({ name, description }, actor, now());
const api = (name: string) =>
  createApi(
    { identifier: `https://${unique('api')}.example`, name, scopes: [{ name, description }] },
    actor,
    now(),
  );
const field = (name: string) =>
  createField({ name, label: 'Team', scope: 'profile' }, actor, now());
const claim = async (name: string) => {
  const { client } = await newApp();
  return () => updateClient(client.id, { constantClaims: { [name]: 'x' } }, { actor, now: now() });
};

const aSession = (
  of: Pick<NewSession, 'hash' | 'userId' | 'epoch' | 'passwordHash'>,
): NewSession => ({
  ...of,
  amr: 'pwd',
  brief: false,
  expiresAt: addSeconds(now(), 3600),
  userAgent: null,
  address: null,
});

type Work = () => Promise<unknown>;

/** The outcome of the second change, and whether it had to wait for the first. */
async function afterwards(first: Work, second: Work): Promise<[outcome: string, waited: boolean]> {
  const judged = () =>
    second().then(
      () => 'done',
      (error) => (error instanceof AdminRefusal ? 'refused' : String(error)),
    );
  const { answer, waited } = await overtaken(first, judged);
  return [answer, waited];
}

onDatabase('postgresql', () => {
  test('concurrent changes: a username that is being given up cannot be taken by another user', async () => {
    for (const giveUp of [(id: string) => rename(id, unique('ada')), end]) {
      const ada = await newPerson();
      const bob = await newPerson();
      const taking = () => rename(bob.id, ada.username);
      expect(await afterwards(() => giveUp(ada.id), taking)).toEqual(['refused', false]);
      const eve = await newPerson();
      const making = await creating(eve.username);
      expect(await afterwards(() => giveUp(eve.id), making)).toEqual(['refused', false]);
    }
  });
  const end = (id: string) => deleteUser(id, actor, now());

  test('concurrent changes: a username that looks like one being taken is refused', async () => {
    const name = unique('alice');
    const bob = await newPerson();
    const alike = name.replace('alice', 'aIice');
    const taking = () => rename(bob.id, alike);
    expect(await afterwards(await creating(name), taking)).toEqual(['refused', true]);
    const other = unique('alice');
    const making = await creating(other.replace('alice', 'aIice'));
    expect(await afterwards(() => rename(bob.id, other), making)).toEqual(['refused', true]);
  });

  test('concurrent changes: a scope of the server and a scope of an API cannot get the same name', async () => {
    const [one, other] = [unique('files'), unique('files')];
    expect(
      await afterwards(
        () => scope(one),
        () => api(one),
      ),
    ).toEqual(['refused', true]);
    expect(
      await afterwards(
        () => api(other),
        () => scope(other),
      ),
    ).toEqual(['refused', true]);
  });

  test('concurrent changes: a user field and a claim of an app cannot get the same name', async () => {
    const [one, other] = [unique('team'), unique('team')];
    const claimOne = await claim(one);
    const claimOther = await claim(other);
    expect(await afterwards(() => field(one), claimOne)).toEqual(['refused', true]);
    expect(await afterwards(claimOther, () => field(other))).toEqual(['refused', true]);
  });

  test('concurrent changes: a group being deleted gets no members, and those just added are removed with it', async () => {
    const ada = await newPerson();
    const one = await createGroup({ name: unique('a') }, actor, now());
    const other = await createGroup({ name: unique('b') }, actor, now());
    const add = (id: string) => () => addMembers(id, [ada.id], actor, now());
    const end = (id: string) => () => deleteGroup(id, actor, now());
    expect(await afterwards(end(one.id), add(one.id))).toEqual(['refused', true]);
    expect(await afterwards(add(other.id), end(other.id))).toEqual(['done', true]);
    expect((await listMembers(one.id, {}).catch(() => ({ rows: [] }))).rows).toEqual([]);
  });

  test('concurrent changes: leaving one group while the other is deleted ends the access that both gave', async () => {
    const ada = await newPerson();
    const groups = [
      await createGroup({ name: unique('a') }, actor, now()),
      await createGroup({ name: unique('b') }, actor, now()),
    ] as const;
    const [one, other] = [groups[0].id, groups[1].id];
    const { client } = await newApp({ access: 'listed' });
    await allow(client.id, { groups: [one, other], people: [] }, [], now());
    for (const id of [one, other]) await addMembers(id, [ada.id], actor, now());
    await approve(ada.id, client.id, null);
    const sql = `SELECT g.id AS grant_id, c.epoch AS client_epoch FROM grants g JOIN clients c ON c.id = g.client_id
      WHERE g.user_id = :userId AND c.id = :clientId`;
    const named = { clientId: client.id, userId: ada.id };
    const [row] = await read<{ grantId: string; clientEpoch: number }>(sql, named);
    const id = await store({ ...named, ...(row ?? expect.fail()) }, now());
    expect((await workingOf(id)).code).toBe(true);
    const taking = () => removeMembers(one, [ada.id], actor, now());
    const ending = () => deleteGroup(other, actor, now());
    expect(await afterwards(taking, ending)).toEqual(['done', true]);
    expect((await workingOf(id)).code).toBe(false);
  });

  test('concurrent changes: the support role cannot unlink or sign out a user who is being given a role', async () => {
    const support: Actor = { id: 'somebody-of-support', reach: 'people' };
    const ada = await newPerson();
    const bob = await newPerson();
    await giveIdentity(ada.id, await newProvider());
    const [identity] = await listIdentities(ada.id);
    const unlinking = () => unlinkIdentityOf(ada.id, identity?.id ?? '', support, now());
    const giving = () => setRole(ada.id, 'auditor', actor, now());
    expect(await afterwards(giving, unlinking)).toEqual(['refused', true]);
    expect(await listIdentities(ada.id)).toHaveLength(1);
    const hash = unique('session');
    // The new role ends all sessions, so its holder signs in again.
    const givingAndComing = async () => {
      await setRole(bob.id, 'auditor', actor, now());
      const { epoch = 0, passwordHash = null } = (await findUser(bob.id)) ?? {};
      await storeSession(aSession({ hash, userId: bob.id, epoch, passwordHash }), now());
    };
    const ending = () => endSession(bob.id, hash, support, now());
    expect(await afterwards(givingAndComing, ending)).toEqual(['refused', true]);
    expect(await read('SELECT 1 FROM sessions WHERE hash = $1', [hash])).toHaveLength(1);
  });

  test('concurrent changes: no sign-in, and no renewed one, by an identity that is being unlinked', async () => {
    const ada = await newPerson();
    const provider = await newProvider();
    const { user } = await basisOf(ada);
    const { epoch, passwordHash } = user;
    const of = () => ({ hash: unique('session'), userId: ada.id, epoch, passwordHash });
    const before = aSession(of());
    await storeSession(before, now());
    const ways = [
      (session: NewSession) => storeSession(session, now()),
      (session: NewSession) => renewSession(before.hash, before.hash, session, now()),
    ];
    for (const come of ways) {
      await giveIdentity(ada.id, provider);
      const [identity] = await listIdentities(ada.id);
      const id = identity?.id ?? '';
      const from = { identityId: id, sid: null, provedAt: null };
      const which = { userId: ada.id, id, keepHash: 'elsewhere' };
      const unlinking = () => unlinkIdentity(which, { type: 'identity.unlinked' }, now());
      const coming = () => come({ ...aSession(of()), from });
      expect(await overtaken(unlinking, coming)).toEqual({ answer: 'refused', waited: true });
    }
  });

  test('concurrent changes: no second factor is added on the basis of an identity that is being unlinked', async () => {
    const ada = await newPerson();
    await giveIdentity(ada.id, await newProvider());
    const [identity] = await listIdentities(ada.id);
    const id = identity?.id ?? '';
    const unlinking = () =>
      unlinkIdentity(
        { userId: ada.id, id, keepHash: 'elsewhere' },
        { type: 'identity.unlinked' },
        now(),
      );
    const { user } = await basisOf(ada);
    const totp = { userId: ada.id, enrolment: unique('app'), sealedSecret: '', step: 0 };
    const adding = () => storeTotp(totp, { user, identityId: id }, { type: 'factor.added' }, now());
    expect(await overtaken(unlinking, adding)).toEqual({ answer: 'refused', waited: true });
  });

  test('concurrent changes: removing second factors while one is added removes it too, or keeps its recovery codes', async () => {
    const ada = await newPerson();
    const bob = await newPerson();
    const added = { type: 'factor.added' } as const;
    const addApp = async (of: { id: string }) =>
      storeTotp(
        { userId: of.id, enrolment: unique('app'), sealedSecret: '', step: 0 },
        await basisOf(of),
        added,
        now(),
      );
    const removing = () => removeAllFactors(ada.id, { type: 'factors.reset' }, now());
    const all = await overtaken(() => addApp(ada), removing);
    expect([all, await readFactors(ada.id)]).toEqual([
      { answer: 'removed', waited: true },
      noFactors,
    ]);
    await addApp(bob);
    await replaceRecoveryCodes(bob.id, [unique('code')], { type: 'recovery-codes.made' }, now());
    const removingApp = () => removeTotp(bob.id, { type: 'factor.removed' }, now());
    const one = await overtaken(() => addPasskey(bob), removingApp);
    expect([one, await readFactors(bob.id)]).toEqual([
      { answer: 'removed', waited: true },
      { totp: false, passkeys: 1, passkeysHere: 1, recoveryCodes: 1 },
    ]);
    await addApp(bob);
    const removingKey = () => removePasskey(bob.id, bob.id, { type: 'factor.removed' }, now());
    const removingTheApp = () => removeTotp(bob.id, { type: 'factor.removed' }, now());
    expect(await overtaken(removingTheApp, removingKey)).toEqual({
      answer: 'removed',
      waited: true,
    });
    expect(await readFactors(bob.id)).toEqual(noFactors);
  });
  const addPasskey = async (of: { id: string }) =>
    storePasskey(
      {
        id: of.id,
        userId: of.id,
        name: 'Key',
        publicKey: '',
        counter: 0,
        transports: [],
        syncable: false,
        backedUp: false,
        aaguid: '',
        rpId: null,
      },
      await basisOf(of),
      { type: 'factor.added' },
      now(),
    );

  test('concurrent changes: a user who becomes the last admin while being deleted is not deleted', async () => {
    const boss = await newPerson({ admin: true });
    const bob = await newPerson();
    const succeed = async () => {
      await setAdmin(bob.id, true, actor, now());
      await setAdmin(boss.id, false, actor, now());
    };
    expect(await afterwards(succeed, () => end(bob.id))).toEqual(['refused', true]);
  });

  const goes = (id: string, successor?: string) =>
    leave({ id, successor, account: 'delete' }, actor, now());

  test('concurrent changes: of two contacts of an app who leave at the same time, one stays', async () => {
    const ann = await newPerson();
    const bob = await newPerson();
    const { client } = await newApp();
    await setContacts(client.id, [ann.id, bob.id], actor, now());
    const both = [() => goes(ann.id), () => goes(bob.id)] as const;
    expect(await afterwards(...both)).toEqual(['refused', true]);
  });

  test('concurrent changes: a user being deleted is given no agent or apps, and one being given them is not deleted', async () => {
    const ann = await newPerson();
    const bob = await newPerson();
    const eve = await newPerson();
    const { client } = await newApp();
    await write('UPDATE clients SET agent = TRUE WHERE id = :id', { id: client.id });
    const name = (userId: string) => () => setOwner({ clientId: client.id, userId }, actor, now());
    expect(await afterwards(name(bob.id), () => end(bob.id))).toEqual(['refused', true]);
    expect(await afterwards(() => end(eve.id), name(eve.id))).toEqual(['refused', true]);
    expect(
      await afterwards(
        () => goes(bob.id, ann.id),
        () => end(ann.id),
      ),
    ).toEqual(['refused', true]);
    const joe = await newPerson();
    expect(
      await afterwards(
        () => end(joe.id),
        () => goes(ann.id, joe.id),
      ),
    ).toEqual(['refused', true]);
  });

  test('concurrent changes: settings seen before one of them changed are not stored', async () => {
    const event = { type: 'setting.changed' } as const;
    const change = (value: string) => [
      { name: 'CODE_TTL', seen: '', value, event },
      { name: 'ACCESS_TOKEN_TTL', seen: '', value, event },
    ];
    const told: string[] = [];
    const saving = (value: string) => async () => told.push(await storeAll(change(value), now()));
    expect(await afterwards(saving('40'), saving('50'))).toEqual(['done', true]);
    expect(told).toEqual(['done', 'changed-meanwhile']);
  });
});
