import { z } from 'zod';
import { config } from '../../config.ts';
import { deviceOf } from '../../identity/device.ts';
import { noticeChoices } from '../../mail/notify.ts';
import { listApiKeys } from '../../store/api-keys.ts';
import { readAppOrder } from '../../store/app-order.ts';
import { appPasswordList, mostAppPasswords } from '../../store/app-passwords.ts';
import { listConnectedApps } from '../../store/connected-apps.ts';
import { findDirectoryLink } from '../../store/directories.ts';
import { findTotp, readFactors } from '../../store/factors.ts';
import { listIdentities } from '../../store/identities.ts';
import {
  appsAskedForBy,
  appsListing,
  developedBy,
  formerUsernamesOf,
  membershipsEnding,
} from '../../store/own-data.ts';
import { listPasskeys } from '../../store/passkeys.ts';
import { listRemembered } from '../../store/remembered-devices.ts';
import { listSessionsOf } from '../../store/sessions.ts';
import { listAnswersOf } from '../../store/terms.ts';
import type { User } from '../../store/users.ts';
import { groupsOf } from '../group/groups.ts';
import { type Activity, listActivity } from './activity.ts';
import { toldFields } from './told.ts';
import { userWithId } from './users.ts';

const moment = z.iso.datetime();
const momentOrNone = moment.nullable();
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const app = { client_id: z.string(), name: z.string() };

const activityTold = z.strictObject({
  at: moment,
  /** As in the audit log. */
  event: z.string(),
  by: z.enum(['you', 'other', 'nobody']),
  app: z.string().nullable(),
  /** The app through which an agent acted. */
  through: z.string().nullable(),
  device: z.string().nullable(),
  address: z.string().nullable(),
});

/**
 * The shape of the file that people can download: everything that this server has about a person
 * and may show them. It has no room for secrets, keys or digests.
 */
export const ownData = z.strictObject({
  format: z.literal('gatehouse-account'),
  version: z.literal(1),
  server: z.url(),
  made_at: moment,
  profile: z.strictObject({
    id: z.string(),
    username: z.string(),
    former_usernames: z.array(z.strictObject({ username: z.string(), given_up_at: moment })),
    email: z.string(),
    email_verified: z.boolean(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    claims: z.record(
      z.string(),
      z.union([z.string(), z.boolean(), z.record(z.string(), z.string())]),
    ),
    fields: z.record(z.string(), value),
    groups: z.array(z.string()),
    memberships_end: z.array(z.strictObject({ group: z.string(), ends_at: moment })),
    role: z.string(),
    created_at: moment,
    last_sign_in_at: momentOrNone,
    deletion_at: momentOrNone,
    ends_at: momentOrNone,
  }),
  sign_in: z.strictObject({
    password: z.boolean(),
    authenticator_app_since: momentOrNone,
    recovery_codes_left: z.number(),
    second_step_required: z.boolean(),
    passkeys: z.array(
      z.strictObject({
        name: z.string(),
        synced: z.boolean(),
        created_at: moment,
        last_used_at: momentOrNone,
      }),
    ),
    identities: z.array(
      z.strictObject({
        provider: z.string(),
        issuer: z.string(),
        subject: z.string(),
        /** What the provider last called them. */
        label: z.string().nullable(),
        linked_at: moment,
        last_used_at: momentOrNone,
      }),
    ),
    /** Their entry in an LDAP directory. */
    directory: z
      .strictObject({
        directory: z.string(),
        entry_id: z.string(),
        dn: z.string(),
        linked_at: moment,
        last_seen_at: moment,
      })
      .nullable(),
  }),
  mails: z.record(z.string(), z.boolean()),
  sessions: z.array(
    z.strictObject({
      current: z.boolean(),
      browser: z.string().nullable(),
      system: z.string().nullable(),
      address: z.string().nullable(),
      signed_in_at: moment,
      last_seen_at: moment,
    }),
  ),
  remembered_devices: z.array(
    z.strictObject({
      browser: z.string().nullable(),
      system: z.string().nullable(),
      address: z.string().nullable(),
      created_at: moment,
      last_used_at: moment,
    }),
  ),
  apps: z.array(
    z.strictObject({
      client_id: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      allowed_at: moment,
      ends_at: momentOrNone,
      last_used_at: momentOrNone,
    }),
  ),
  app_order: z.array(z.string()),
  allowed_apps: z.array(z.strictObject({ ...app, since: moment, ends_at: momentOrNone })),
  requested_apps: z.array(
    z.strictObject({
      ...app,
      host: z.string(),
      asked_at: moment,
      decision: z.enum(['allowed', 'refused']).nullable(),
    }),
  ),
  developed_apps: z.array(z.strictObject({ ...app, owner: z.boolean(), since: moment })),
  api_keys: z.array(
    z.strictObject({
      name: z.string(),
      rights: z.array(z.string()),
      networks: z.array(z.string()),
      created_at: moment,
      expires_at: moment,
      last_used_at: momentOrNone,
    }),
  ),
  app_passwords: z.array(
    z.strictObject({
      name: z.string(),
      client_id: z.string(),
      networks: z.array(z.string()),
      created_at: moment,
      expires_at: momentOrNone,
      last_used_at: momentOrNone,
    }),
  ),
  terms: z.array(
    z.strictObject({
      name: z.string(),
      client_id: z.string().nullable(),
      decision: z.string(),
      answered_at: moment,
      /** Of the text that they were shown. */
      language: z.string(),
      digest: z.string(),
    }),
  ),
  activity: z.array(activityTold),
});

type OwnData = z.output<typeof ownData>;
export type OwnDataHead = Omit<OwnData, 'activity'>;
export type OwnActivity = OwnData['activity'][number];

const head = ownData.omit({ activity: true });
const time = (at: Date | null | undefined) => at?.toISOString() ?? null;

/** Everything except the activity, which is read in pieces. `current` is the session that asks. */
export async function ownDataHead(
  user: Pick<User, 'id' | 'isAdmin'>,
  current: string,
  now: Date,
): Promise<OwnDataHead> {
  const { id: userId } = user;
  const [profile, sign_in, choices, sessions, remembered, apps, app_order, further] =
    await Promise.all([
      profileOf(userId),
      signInOf(userId),
      noticeChoices(user),
      listSessionsOf(userId, now),
      listRemembered(userId, new Date(0)),
      listConnectedApps(userId, now),
      readAppOrder(userId),
      appsAndKeysOf(userId),
    ]);
  return head.parse({
    format: 'gatehouse-account',
    version: 1,
    server: config().issuer,
    made_at: now.toISOString(),
    profile,
    sign_in,
    mails: Object.fromEntries(choices.map(({ notice, wanted }) => [notice, wanted])),
    sessions: sessions.map((session) => ({
      current: session.hash === current,
      ...deviceOf(session.userAgent ?? undefined),
      address: session.address,
      signed_in_at: time(session.createdAt),
      last_seen_at: time(session.lastSeenAt),
    })),
    remembered_devices: remembered.map((device) => ({
      ...deviceOf(device.userAgent ?? undefined),
      address: device.address,
      created_at: time(device.createdAt),
      last_used_at: time(device.lastUsedAt),
    })),
    apps: apps.map((app) => ({
      client_id: app.id,
      name: app.name,
      scopes: app.scopes.map(({ name }) => name),
      allowed_at: time(app.approvedAt),
      ends_at: time(app.endsAt),
      last_used_at: time(app.lastUsedAt),
    })),
    app_order,
    ...further,
  });
}

/** The apps that they have to do with in other ways than using them, and their API keys. */
async function appsAndKeysOf(userId: string) {
  const [allowed, requested, developed, keys, passwords, answers] = await Promise.all([
    appsListing(userId),
    appsAskedForBy(userId),
    developedBy(userId),
    listApiKeys(),
    appPasswordList.page({ userId, limit: mostAppPasswords }),
    listAnswersOf(userId),
  ]);
  return {
    terms: answers.map(({ name, clientId, answer, at, language, digest }) => ({
      name,
      client_id: clientId,
      decision: answer,
      answered_at: time(at),
      language,
      digest,
    })),
    app_passwords: passwords.rows.map((password) => ({
      name: password.name,
      client_id: password.clientId,
      networks: password.networks,
      created_at: time(password.createdAt),
      expires_at: time(password.expiresAt),
      last_used_at: time(password.lastUsedAt),
    })),
    allowed_apps: allowed.map(({ id, name, createdAt, endsAt }) => ({
      client_id: id,
      name,
      since: time(createdAt),
      ends_at: time(endsAt),
    })),
    requested_apps: requested.map(({ clientId, name, host, askedAt, decision }) => ({
      client_id: clientId,
      name,
      host,
      asked_at: time(askedAt),
      decision,
    })),
    developed_apps: developed.map(({ id, name, owner, createdAt }) => ({
      client_id: id,
      name,
      owner,
      since: time(createdAt),
    })),
    api_keys: keys
      .filter(({ maker }) => maker?.id === userId)
      .map((key) => ({
        name: key.name,
        rights: key.rights,
        networks: key.networks,
        created_at: time(key.createdAt),
        expires_at: time(key.expiresAt),
        last_used_at: time(key.lastUsedAt),
      })),
  };
}

async function profileOf(userId: string): Promise<OwnData['profile']> {
  const user = await userWithId(userId);
  const [fields, groups, former, ending] = await Promise.all([
    toldFields(userId),
    groupsOf(userId),
    formerUsernamesOf(userId),
    membershipsEnding(userId),
  ]);
  return {
    id: user.id,
    username: user.username,
    former_usernames: former.map(({ usernameKey, givenUpAt }) => ({
      username: usernameKey,
      given_up_at: givenUpAt.toISOString(),
    })),
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    picture: user.picture,
    claims: user.claims as OwnData['profile']['claims'],
    fields,
    groups: groups.map(({ name }) => name),
    memberships_end: ending.map(({ group, endsAt }) => ({ group, ends_at: endsAt.toISOString() })),
    role: user.role,
    created_at: user.createdAt.toISOString(),
    last_sign_in_at: time(user.lastSignInAt),
    deletion_at: time(user.deletionAt),
    ends_at: time(user.endsAt),
  };
}

async function signInOf(userId: string): Promise<OwnData['sign_in']> {
  const [user, totp, factors, passkeys, identities, entry] = await Promise.all([
    userWithId(userId),
    findTotp(userId),
    readFactors(userId),
    listPasskeys(userId),
    listIdentities(userId),
    findDirectoryLink(userId),
  ]);
  return {
    password: user.hasPassword,
    authenticator_app_since: time(totp?.createdAt),
    recovery_codes_left: factors.recoveryCodes,
    second_step_required: user.requireSecondFactor,
    passkeys: passkeys.map(({ name, backedUp, createdAt, lastUsedAt }) => ({
      name,
      synced: backedUp,
      created_at: createdAt.toISOString(),
      last_used_at: time(lastUsedAt),
    })),
    identities: identities.map(({ provider, issuer, subject, label, createdAt, lastUsedAt }) => ({
      provider: provider.name,
      issuer,
      subject,
      label,
      linked_at: createdAt.toISOString(),
      last_used_at: time(lastUsedAt),
    })),
    directory: entry && {
      directory: entry.directory,
      entry_id: entry.entryId,
      dn: entry.dn,
      linked_at: entry.createdAt.toISOString(),
      last_seen_at: entry.lastSeenAt.toISOString(),
    },
  };
}

/** Events read at a time, and in total: more than anyone causes themselves in 90 days. */
const step = 500;
const mostEvents = 20_000;

/** The activity in pieces, newest first, so that memory stays small. */
export async function* ownActivity(userId: string, now: Date): AsyncGenerator<OwnActivity[]> {
  let cursor: string | undefined;
  for (let count = 0; count < mostEvents; count += step) {
    const { rows, next } = await listActivity(userId, { cursor, limit: step }, now);
    yield rows.map(told);
    if (next === null) return;
    cursor = next;
  }
}

const told = ({ at, type, by, clientName, through, device, address }: Activity): OwnActivity =>
  activityTold.parse({
    at: at.toISOString(),
    event: type,
    by,
    app: clientName,
    through: through?.app ?? null,
    device: device || null,
    address,
  });

/** The file as JSON, in pieces. */
export async function* ownDataJson(
  first: OwnDataHead,
  activity: AsyncIterable<readonly OwnActivity[]>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(first, null, 2).slice(0, -2)},\n  "activity": [`;
  let lead = '\n';
  for await (const events of activity) {
    if (events.length > 0)
      yield lead + events.map((event) => `    ${JSON.stringify(event)}`).join(',\n');
    if (events.length > 0) lead = ',\n';
  }
  yield '\n  ]\n}\n';
}
