import { z } from 'zod';
import { termsAnswers } from '../../people/terms.ts';
import { act } from '../act.ts';
import { told } from '../told.ts';
import {
  moment,
  momentOrNone,
  nextCursor,
  oneOf,
  paging,
  text,
  textOrNone,
  textsByName,
} from '../values.ts';
import { termsFields } from './fields.ts';

// Imported late: a command line that only prints its help opens no store.
const rules = () => import('./terms.ts');

const name = text.meta({ description: 'its name, such as 2027-01' });

const terms = z
  .object({
    name: text,
    client_id: textOrNone.meta({ description: 'the app whose terms they are' }),
    state: z.enum(['planned', 'asked', 'required', 'past', 'ended']),
    holds_from: moment,
    required_from: moment,
    ended_at: momentOrNone,
    people: z.int().meta({ description: 'how many people are asked' }),
    agreed: z.int(),
    later: z.int(),
    declined: z.int(),
  })
  .meta({ id: 'Terms' });
const whole = terms.extend({ texts: textsByName, created_at: moment }).meta({ id: 'WholeTerms' });

const answer = z
  .object({
    user_id: text,
    username: text,
    email: text,
    answer: z.enum(termsAnswers),
    at: moment,
    language: text,
    digest: text.meta({ description: 'SHA-256 of the text that was shown, in base64url' }),
  })
  .meta({ id: 'TermsAnswer' });

export const termsActs = {
  list: act({
    may: 'see-everything',
    says: 'list versions of terms of use, the last to hold first',
    takes: z.strictObject({}),
    tells: z.object({ terms: z.array(terms) }),
    run: async (_, { now }) => ({
      terms: (await (await rules()).listTerms(now)).map((each) => told(terms, each)),
    }),
  }),

  show: act({
    may: 'see-everything',
    says: 'show a version of terms of use with its texts',
    takes: z.strictObject({ name }),
    tells: whole,
    run: async (said, { now }) => told(whole, await (await rules()).showTerms(said.name, now)),
  }),

  create: act({
    may: 'fresh-admin',
    says: 'make a version of terms of use; it never changes',
    example: { name: '2027-01', texts: { any: 'Be *kind*.' }, from: '2027-01-01' },
    takes: z.strictObject({ name, ...termsFields }),
    tells: whole,
    async run({ client_id: clientId, ...said }, { actor, now }) {
      const { createTerms } = await rules();
      return told(whole, await createTerms({ ...said, clientId }, actor, now));
    },
  }),

  end: act({
    may: 'fresh-admin',
    says: 'stop asking for a version of terms of use; the one before it holds again',
    takes: z.strictObject({ name }),
    tells: whole,
    run: async (said, { actor, now }) =>
      told(whole, await (await rules()).endTerms(said.name, actor, now)),
  }),

  listAnswers: act({
    may: 'see-people',
    says: 'list what people answered to a version of terms of use, the latest first',
    takes: z.strictObject({
      name,
      answer: oneOf(termsAnswers)
        .meta({ description: 'only agreed, later or declined' })
        .optional(),
      ...paging,
    }),
    tells: z.object({ answers: z.array(answer), next: nextCursor }),
    async run(said) {
      const { rows, next } = await (await rules()).listAnswers(said);
      return { answers: rows.map((row) => told(answer, row)), next };
    },
  }),
};
