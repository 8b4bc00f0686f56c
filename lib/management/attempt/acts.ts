import { z } from 'zod';
import { rules } from '../../oauth/facts.ts';
import { throughs, traceOutcomes } from '../../store/traces.ts';
import { act } from '../act.ts';
import { told } from '../told.ts';
import {
  moment,
  nextCursor,
  oneOf,
  paging,
  text,
  textOrNone,
  texts,
  time,
  yesOrNo,
} from '../values.ts';
import type { Trace, TraceRecord, TraceStep } from './traces.ts';

// Imported late: a command line that only prints its help opens no store.
const traces = () => import('./traces.ts');

/** Plain texts, because a row of another version may hold a word that this one does not know. */
const attempt = z
  .object({
    id: text,
    client_id: textOrNone,
    client_name: textOrNone,
    user_id: textOrNone,
    username: textOrNone,
    started_at: moment,
    last_at: moment,
    step: text,
    outcome: text,
    reason: textOrNone,
    failed: z.boolean(),
    behind: text,
  })
  .meta({ id: 'Attempt' });

const note = { reason: textOrNone, received: textOrNone, expected: texts };
const step = z
  .object({
    at: moment,
    request_id: text,
    step: text,
    outcome: text,
    times: z.int(),
    behind: text,
    error: textOrNone,
    error_description: textOrNone,
    ...note,
    fix: textOrNone.meta({
      description: 'the command that would let such a request through, if one is offered',
    }),
    notes: z.array(z.object(note)),
  })
  .meta({ id: 'AttemptStep' });

export const attemptActs = {
  list: act({
    may: 'see-everything',
    says: 'list attempts, the one with the latest request first',
    takes: z.strictObject({
      client: text.meta({ description: 'of this client' }).optional(),
      user: text.meta({ description: 'of the person with this id' }).optional(),
      outcome: oneOf(traceOutcomes)
        .meta({ description: `how the last request ended: ${traceOutcomes.join(', ')}` })
        .optional(),
      failed: yesOrNo.meta({ description: 'only those with a refused request' }).optional(),
      reason: oneOf(rules)
        .meta({ description: 'refused for this reason, such as redirect-uri.unregistered' })
        .optional(),
      through: oneOf(throughs)
        .meta({ description: `where the last request came in: ${throughs.join(', ')}` })
        .optional(),
      request: text.meta({ description: 'with this X-Request-Id' }).optional(),
      since: time.meta({ description: 'from this time on' }).optional(),
      until: time.meta({ description: 'before this time' }).optional(),
      ...paging,
    }),
    tells: z.object({ traces: z.array(attempt), next: nextCursor }),
    async run({ client: clientId, user: userId, reason: rule, request: requestId, ...filter }) {
      const wanted = { ...filter, clientId, userId, rule, requestId };
      const { rows, next } = await (await traces()).listTraces(wanted);
      return { traces: rows.map(toldAttempt), next };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show an attempt with its requests',
    takes: z.strictObject({
      id: text.meta({ description: 'its id, or the X-Request-Id of one of its requests' }),
    }),
    tells: attempt.extend({
      client_meant: textOrNone.meta({ description: 'an unknown client_id may mean this client' }),
      steps: z.array(step),
    }),
    async run({ id }) {
      const { showTrace, traceOfRequest } = await traces();
      const { clientMeant } = await import('./meant-client.ts');
      const { fixCommands } = await import('./fix-commands.ts');
      const trace = await showTrace((await traceOfRequest(id)) ?? id);
      return toldWhole(trace, (await clientMeant(trace))?.id ?? null, await fixCommands(trace));
    },
  }),

  fix: act({
    may: 'fresh-admin',
    says: 'change the app so that a refused request of an attempt would be accepted',
    example: { request: 'req_01JZ8' },
    takes: z.strictObject({
      id: text.meta({ description: 'the id of the attempt' }),
      request: text.meta({ description: 'the X-Request-Id of the refused request' }),
      place: text.meta({ description: 'the host of the address that is added' }).optional(),
    }),
    tells: z.object({ id: text, kind: text, value: text }),
    async run({ id, request, place = '' }, { actor, now, demandFresh }) {
      const { fix } = await import('./fix.ts');
      const by = { actor, now, onLoosening: demandFresh };
      return { id, ...(await fix(id, request, place, by)) };
    },
  }),
};

const toldAttempt = (found: TraceRecord): z.input<typeof attempt> =>
  told(attempt, { ...found, reason: found.rule });

const toldStep = (found: TraceStep, fixes: ReadonlyMap<string, string>): z.input<typeof step> =>
  told(step, {
    ...found,
    fix: fixes.get(found.requestId) ?? null,
    error: found.code,
    reason: found.rule,
    errorDescription: found.reason,
    notes: found.notes.map(({ rule, received, expected }) => {
      return { reason: rule, received, expected: [...expected] };
    }),
  });

const toldWhole = (trace: Trace, meant: string | null, fixes: ReadonlyMap<string, string>) => ({
  ...toldAttempt(trace),
  client_meant: meant,
  steps: trace.steps.map((each) => toldStep(each, fixes)),
});
