import { z } from 'zod';
import { clientFields } from '../../oauth/client.ts';
import { type Actor, fileActor } from '../../store/actor.ts';
import { act, type By } from '../act.ts';
import { refusingAt } from '../refusing-at.ts';
import { inJson } from '../told.ts';
import {
  nextCursor,
  oneOf,
  onOff,
  paging,
  picture,
  text,
  textOrNone,
  texts,
  yesOrNo,
} from '../values.ts';
import { timeSeen, versionAt } from '../version.ts';
import { changeSaid, clientSaid, clientSummary, clientTold } from './fields.ts';
import { peopleActs } from './people-acts.ts';
import { siteChecks } from './site-checks.ts';
import { toldClient, toldSummary } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const clients = () => import('./clients.ts');
const along = () => import('./along.ts');
const contactsOf = () => import('./contacts.ts');

const client_id = text.meta({ description: 'its client_id' });
const takesClient = z.strictObject({ client_id });
const withSecret = clientTold.extend({
  client_secret: textOrNone.meta({ description: 'one that was just made, shown only now' }),
});

const checkedSite = z
  .object({
    site: text,
    findings: z.array(
      z.object({ check: oneOf(siteChecks), fine: z.boolean(), received: text, expected: text }),
    ),
  })
  .meta({ id: 'CheckedSite' });

const beside = {
  allow_insecure_redirect_uri: onOff
    .meta({ description: 'accept plain http addresses outside this device' })
    .optional(),
  contacts: texts
    .meta({ description: 'its developers: usernames, email addresses or ids' })
    .optional(),
  owner: textOrNone
    .meta({
      description:
        'the person responsible for an agent: username, email address or id; null leaves it',
    })
    .optional(),
  logo: picture
    .nullable()
    .meta({ description: 'a PNG, JPEG, WebP or GIF file in base64; null removes it' })
    .optional(),
};
/** The configuration file may name an owner who has no account yet. */
const needsOwner = (agent: boolean, actor: Actor) => agent && actor.id !== fileActor.id;

const onOne =
  (work: 'disableClient' | 'enableClient') =>
  async (said: { client_id: string }, { actor, now }: By) =>
    toldClient(await (await clients())[work](said.client_id, actor, now));

/** Draws the logo before any transaction. @throws AdminRefusal */
async function drawLogo({ logo }: { logo?: Uint8Array | null | undefined }): Promise<void> {
  if (logo) await (await import('./logos.ts')).readLogo(logo);
}

export const clientActs = {
  list: act({
    may: 'see-everything',
    says: 'list clients, newest first',
    takes: z.strictObject({
      q: text.meta({ description: 'part of name, description or client_id' }).optional(),
      type: oneOf(clientFields.type.of).meta({ description: 'clients of this type' }).optional(),
      disabled: yesOrNo.meta({ description: 'disabled clients only' }).optional(),
      first_party: yesOrNo.meta({ description: 'clients that ask for no consent' }).optional(),
      agent: yesOrNo.meta({ description: 'agents, or apps that are none' }).optional(),
      sort: oneOf(['newest', 'name']).meta({ description: 'newest or name (newest)' }).optional(),
      ...paging,
    }),
    tells: z.object({ clients: z.array(clientSummary), next: nextCursor }),
    async run({ q: search, first_party: firstParty, sort = 'newest', ...filter }) {
      const { listClients } = await clients();
      const { rows, next } = await listClients({ ...filter, search, firstParty, sort });
      return { clients: rows.map(toldSummary), next };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show a client',
    takes: takesClient,
    tells: clientTold,
    run: async (said) => toldClient(await (await clients()).showClient(said.client_id)),
    version: versionAt,
  }),

  create: act({
    may: 'fresh-admin',
    says: 'create a client; its secret is shown once',
    example: {
      client_id: 'calendar',
      name: 'Calendar',
      redirect_uris: ['https://calendar.example.org/callback'],
    },
    takes: z.strictObject({
      client_id: text.meta({ description: 'random if left out' }).optional(),
      ...clientSaid,
      name: text.meta({ description: 'the name users see' }),
      ...beside,
      allowed_groups: texts.meta({ description: 'groups that may use it' }).optional(),
      allowed_users: texts.meta({ description: 'people who may use it' }).optional(),
    }),
    tells: withSecret,
    ahead: drawLogo,
    async run(said, { actor, now }) {
      const { readAlong, giveAlong } = await along();
      const more = await readAlong(said);
      const lists = said.allowed_groups ?? said.allowed_users;
      const usual = lists ? { access: 'listed' as const } : {};
      const allowInsecureRedirectUri = said.allow_insecure_redirect_uri;
      const input = {
        ...usual,
        ...changeSaid(said),
        id: said.client_id,
        allowInsecureRedirectUri,
      };
      const { createClient, showClient } = await clients();
      await (await contactsOf()).checkOwned(
        needsOwner(input.agent === true, actor),
        null,
        more.owner,
      );
      const { client, secret } = await refusingAt(placeOf, createClient(input, actor, now));
      await giveAlong(client.id, more, actor, now);
      const told = await toldClient(await showClient(client.id));
      return { ...told, client_secret: secret };
    },
    version: versionAt,
  }),

  update: act({
    may: 'admin',
    says: 'change a client; only the options you give change',
    example: { description: 'Appointments and rooms' },
    takes: z.strictObject({ client_id, ...clientSaid, ...beside }),
    tells: withSecret,
    ahead: drawLogo,
    async run(said, { actor, now, seen, demandFresh }) {
      const { readAlong, giveAlong, addsContact, changesOwner } = await along();
      const { showClient, updateClient } = await clients();
      const { id, agent } = await showClient(said.client_id);
      const named = [...(said.contacts ?? []), said.owner ?? ''];
      // Before any lookup: only people who may name others may learn who has an account here.
      if (await addsContact(id, named)) demandFresh();
      if (await changesOwner(id, said.owner)) demandFresh();
      const more = await readAlong(said);
      const allowInsecureRedirectUri = said.allow_insecure_redirect_uri;
      const change = { ...changeSaid(said), allowInsecureRedirectUri };
      const becomesAgent = change.agent === true && !agent;
      await (await contactsOf()).checkOwned(needsOwner(becomesAgent, actor), id, more.owner);
      const work = updateClient(id, change, {
        actor,
        now,
        seen: timeSeen(seen),
        onLoosening: demandFresh,
      });
      const { secret } = await refusingAt(placeOf, work);
      await giveAlong(id, more, actor, now);
      return { ...(await toldClient(await showClient(id))), client_secret: secret };
    },
    version: versionAt,
  }),

  disable: act({
    may: 'admin',
    says: 'disable a client and revoke its codes and tokens',
    takes: takesClient,
    tells: clientTold,
    run: onOne('disableClient'),
  }),

  enable: act({
    may: 'fresh-admin',
    says: 'enable a client; revoked tokens stay revoked',
    takes: takesClient,
    tells: clientTold,
    run: onOne('enableClient'),
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete a client and everything issued to it',
    takes: takesClient,
    tells: z.object({
      client_id: text,
      name: text,
      deleted: z.literal(true),
      shown_name: text,
    }),
    async run(said, { actor, now, seen }) {
      const { deleteClient } = await clients();
      const gone = await deleteClient(said.client_id, actor, now, timeSeen(seen));
      const { id: client_id, name, shownName: shown_name } = gone;
      return { client_id, name, deleted: true as const, shown_name };
    },
  }),

  checkSites: act({
    may: 'admin',
    says: 'call each guarded site of a client with forged headers, and show what came through its proxy',
    takes: takesClient,
    tells: z.object({ sites: z.array(checkedSite) }),
    waits: true,
    async run({ client_id }, { now }) {
      const { checkSites } = await import('./site-check.ts');
      return { sites: await checkSites(await (await clients()).showClient(client_id), now) };
    },
  }),

  setLogo: act({
    may: 'admin',
    says: 'set or remove the logo of a client',
    example: { logo: null },
    takes: z.strictObject({ client_id, logo: beside.logo.unwrap() }),
    tells: clientTold,
    ahead: drawLogo,
    async run({ client_id, logo }, { actor, now }) {
      const { setLogo, removeLogo } = await import('./logos.ts');
      const changed = logo
        ? setLogo(client_id, logo, actor, now)
        : removeLogo(client_id, actor, now);
      return toldClient(await changed);
    },
  }),

  ...peopleActs,
};

/** The place of a fault in the act's input. The rules name fields of the record. */
const placeOf = (field: string) => (field === 'id' ? 'client_id' : inJson(field));
