import { z } from 'zod';
import { act } from '../act.ts';
import { recorded, told } from '../told.ts';
import { moment, oneOf, text, texts } from '../values.ts';
import { timeSeen, versionAt } from '../version.ts';
import type { ApiChange, ApiRecord } from './apis.ts';
import { apiFields, apiFieldsTold } from './fields.ts';

// Imported late: a command line that only prints its help opens no store.
const apis = () => import('./apis.ts');
const apiClients = () => import('./api-clients.ts');

const id = text.meta({ description: 'the id of the API' });

const clients = texts.meta({ description: 'client_ids that may ask while access is listed' });
const servedBy = texts.meta({ description: 'client_ids that are the API' });

const lists = { clients: clients.optional(), served_by: servedBy.optional() };

const api = z
  .object({
    id: text,
    identifier: text,
    ...apiFieldsTold,
    clients,
    served_by: servedBy,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Api' });

const listing = z.strictObject({
  id,
  kind: oneOf(['asks', 'serves']).meta({ description: 'asks for its tokens, or is the API' }),
  clients: texts.meta({ description: 'client_ids' }),
});

export const apiActs = {
  list: act({
    may: 'see-everything',
    says: 'list APIs, by name',
    takes: z.strictObject({
      q: text.meta({ description: 'part of the name or identifier' }).optional(),
      identifier: text
        .meta({ description: 'only the API with exactly this identifier' })
        .optional(),
    }),
    tells: z.object({ apis: z.array(api) }),
    async run({ q, identifier }) {
      const found = await (await apis()).listApis(q, identifier);
      return { apis: found.map(toldApi) };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show an API and its scopes',
    takes: z.strictObject({ id }),
    tells: api,
    run: async (said) => toldApi(await (await apis()).showApi(said.id)),
    version: versionAt,
  }),

  create: act({
    may: 'fresh-admin',
    says: 'create an API',
    example: {
      identifier: 'https://files.example.org/',
      name: 'Files',
      scopes: [{ name: 'files:read', description: 'Read your files' }],
    },
    takes: z.strictObject({
      identifier: text.meta({ description: 'what apps send as resource; it never changes' }),
      ...apiFields,
      ...lists,
    }),
    tells: api,
    async run({ identifier, name, clients, served_by, ...said }, { actor, now }) {
      const lists = { askedBy: clients, servedBy: served_by };
      const asked = { ...changeOf(said), identifier, name, ...lists };
      return toldApi(await (await apis()).createApi(asked, actor, now));
    },
    version: versionAt,
  }),

  update: act({
    may: 'admin',
    says: 'change an API; only the options you give change',
    example: { description: 'Documents and pictures' },
    takes: z.strictObject({ id, ...z.object(apiFields).partial().shape, ...lists }),
    tells: api,
    async run({ id, clients, served_by, ...said }, { actor, now, seen, demandFresh }) {
      const { updateApi } = await apis();
      const change = changeOf(said);
      const editing = { actor, now, seen: timeSeen(seen), onLoosening: demandFresh };
      const { checkLists, setApiClients } = await apiClients();
      const listed = { asks: clients, serves: served_by };
      await checkLists(id, listed, demandFresh);
      const { id: changed } = await updateApi(id, change, editing);
      return toldApi(await setApiClients(changed, listed, editing));
    },
    version: versionAt,
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete an API; approvals for it and its tokens end',
    takes: z.strictObject({ id }),
    tells: z.object({
      id: text,
      identifier: text,
      name: text,
      deleted: z.literal(true),
      people: z.int(),
      sign_ins: z.int(),
    }),
    async run(said, { actor, now, seen }) {
      const gone = await (await apis()).deleteApi(said.id, actor, now, timeSeen(seen));
      return { ...gone, deleted: true as const, sign_ins: gone.signIns };
    },
  }),

  addClients: act({
    may: 'fresh-admin',
    says: 'add clients to the list of an API',
    example: { kind: 'asks', clients: ['calendar'] },
    takes: listing,
    tells: api,
    async run({ id, kind, clients }, { actor, now }) {
      return toldApi(await (await apiClients()).addApiClients(id, kind, clients, { actor, now }));
    },
    version: versionAt,
  }),

  removeClients: act({
    may: 'admin',
    says: 'take clients off the list of an API; access that only the list gave them ends',
    example: { kind: 'asks', clients: ['calendar'] },
    takes: listing,
    tells: api,
    async run({ id, kind, clients }, { actor, now }) {
      return toldApi(
        await (await apiClients()).removeApiClients(id, kind, clients, { actor, now }),
      );
    },
    version: versionAt,
  }),
};

type Said = Partial<z.output<z.ZodObject<typeof apiFields>>>;

/** The fields under the names of the record; those of scopes have names of their own there. */
const changeOf = ({ scopes, ...said }: Said): ApiChange => ({
  ...recorded(said),
  scopes: scopes?.map(({ descriptions: translations, ...scope }) => ({ ...scope, translations })),
});

const toldApi = (found: ApiRecord): z.input<typeof api> =>
  told(api, {
    ...found,
    scopes: found.scopes.map(({ translations, ...scope }) => ({
      ...scope,
      descriptions: { ...translations },
    })),
    clients: found.askedBy,
  });
