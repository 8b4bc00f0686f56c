import { z } from 'zod';
import { act, type By } from '../act.ts';
import { refusingAt } from '../refusing-at.ts';
import { endSaid, text, texts } from '../values.ts';
import { clientTold } from './fields.ts';
import { toldClient } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const clients = () => import('./clients.ts');
const access = () => import('./access.ts');
const contactsOf = () => import('./contacts.ts');

const client_id = text.meta({ description: 'its client_id' });
const listed = {
  groups: texts.meta({ description: 'groups, by name or id' }).optional(),
  people: texts.meta({ description: 'people, by username, email address or id' }).optional(),
};

type ListingSaid = {
  client_id: string;
  groups?: string[];
  people?: string[];
  ends_at?: Date | null;
};

const listing =
  (work: 'allow' | 'disallow') =>
  async (
    { client_id, ends_at: endsAt, ...named }: ListingSaid,
    { actor, now, demandFresh }: By,
  ) => {
    const rules = await access();
    const { showClient } = await clients();
    const { id } = await showClient(client_id);
    // Only people who may add to the list may learn who else has an account here.
    if (work === 'disallow' && !(await rules.areListed(id, named))) demandFresh();
    const meant = await refusingAt(manyOf, rules.findNamed(named));
    await refusingAt(manyOf, rules[work](id, { ...meant, endsAt }, actor, now));
    return toldClient(await showClient(id));
  };
const manyOf = (field: string) => ({ group: 'groups', person: 'people' })[field] ?? field;

/** Who may use a client, and who develops it. */
export const peopleActs = {
  allow: act({
    may: 'fresh-admin',
    says: 'let groups and people use a client whose access is listed, people also until a day',
    example: { groups: ['editors'] },
    takes: z.strictObject({ client_id, ...listed, ends_at: endSaid.optional() }),
    tells: clientTold,
    run: listing('allow'),
  }),

  disallow: act({
    may: 'admin',
    says: 'stop letting groups and people use a client; anyone who loses access is signed out of it',
    example: { groups: ['editors'] },
    takes: z.strictObject({ client_id, ...listed }),
    tells: clientTold,
    run: listing('disallow'),
  }),

  addContact: act({
    may: 'fresh-admin',
    says: 'add a developer of a client, who sees its sign-in attempts',
    example: { contact: 'ada@example.org' },
    takes: z.strictObject({
      client_id,
      contact: text.meta({ description: 'username, email address or id' }),
    }),
    tells: clientTold,
    async run({ client_id, contact }, { actor, now }) {
      const { showClient } = await clients();
      await (await contactsOf()).addContact(client_id, contact, actor, now);
      return toldClient(await showClient(client_id));
    },
  }),

  removeContact: act({
    may: 'admin',
    says: 'remove a developer of a client',
    takes: z.strictObject({
      client_id,
      user_id: text.meta({ description: 'the id of the person' }),
    }),
    tells: clientTold,
    async run({ client_id, user_id }, { actor, now }) {
      const { showClient } = await clients();
      await (await contactsOf()).removeContact(client_id, user_id, actor, now);
      return toldClient(await showClient(client_id));
    },
  }),
};
