import { z } from 'zod';
import type { MessageKey } from '../messages/keys.ts';
import { dayAfter, startOfDay } from '../messages/zone.ts';
import { isDay } from '../oauth/day.ts';
import { readDuration } from '../settings/duration.ts';

/** What something takes, as the object of a sentence. */
export type TakesKey = Extract<MessageKey, `takes.${string}`>;

/*
 * The kinds of value that come from outside: from the configuration file, the command line, forms
 * and the API. Each names what it takes by the key of a message, for when it gets something else,
 * and produces what the rest of the server works with.
 */

/**
 * The JSON Schema of a value that is accepted in further spellings. The API's document names it
 * alone, as a program needs no second spelling.
 */
export const plainType = z.registry<{
  type: string | string[];
  format?: string;
  contentEncoding?: string;
  pattern?: string;
}>();

export const must = (takes: TakesKey) => ({ error: takes });

export const text = z.string(must('takes.text'));
export const texts = z.array(text, must('takes.texts'));
export const textsByName = z.record(z.string(), text, must('takes.textsByName'));

/** The issuers whose JWTs prove an app's identity. */
export const federations = z.array(
  z.strictObject({
    issuer: text,
    claims: textsByName,
    keys: z.string().nullable().optional(),
    reusable: z.boolean().optional(),
  }),
  must('takes.federations'),
);

export const textOrNone = z.union([text, z.null()], must('takes.textOrNone'));

const switches = { on: true, off: false } as const;
const word = z.enum(['on', 'off']).transform((said) => switches[said]);
const nothingSaid = z.enum(['default']).transform(() => null);

/** YAML 1.2 reads `on` and `off` as words. */
export const onOff = z
  .union([z.boolean(), word], must('takes.onOff'))
  .register(plainType, { type: 'boolean' });
export const onOffOrDefault = z
  .union([z.boolean(), word, nothingSaid, z.null()], must('takes.onOffOrDefault'))
  .register(plainType, { type: ['boolean', 'null'] });

const span = z.string().transform((said, context) => {
  const read = readDuration(said);
  if ('seconds' in read) return read.seconds;
  context.addIssue({ code: 'custom', message: 'no time' });
  return z.NEVER;
});

/** Seconds, or a duration in words. */
export const timeOrDefault = z
  .union([z.int(), nothingSaid, z.null(), span], must('takes.time'))
  .register(plainType, { type: ['integer', 'null'] });

/** A duration in words, as seconds. */
export const howLong = text.transform((said, context) => {
  const read = readDuration(said);
  if ('seconds' in read && read.seconds <= 400 * 365 * 86_400) return read.seconds;
  context.addIssue({ code: 'custom', message: must('takes.span').error });
  return 0;
});

export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, must('takes.oneOf'));

/** True or false, also as text, because everything in a query is text. */
export const yesOrNo = z
  .union(
    [z.boolean(), z.enum(['true', 'false']).transform((said) => said === 'true')],
    must('takes.trueOrFalse'),
  )
  .register(plainType, { type: 'boolean' });

const digits = z.string().regex(/^\d{1,9}$/);
/** A whole number, also as text. */
export const wholeNumber = z
  .union([z.int(), digits.transform(Number)], must('takes.wholeNumber'))
  .register(plainType, { type: 'integer' });

/** What every list accepts. */
export const paging = {
  limit: wholeNumber
    .meta({ description: 'rows per page (50)', minimum: 1, maximum: 500 })
    .optional(),
  cursor: text.meta({ description: 'continue where the last list ended' }).optional(),
};

/** The cursor of the next part of a list, or null at its end. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'the cursor of the next page' });

/** A moment in the input. */
export const time = z.string(must('takes.moment')).transform((said, context) => {
  const at = new Date(said);
  if (isDay(said.slice(0, 10)) && !Number.isNaN(at.getTime())) return at;
  context.addIssue({ code: 'custom', message: must('takes.moment').error });
  return z.NEVER;
});

/** A moment, or a day, which stands for a midnight UTC. */
const dayOr = (takes: TakesKey, midnightOf: (day: string) => Date | undefined) =>
  z.string(must(takes)).transform((said, context) => {
    const at = isDay(said) ? midnightOf(said) : new Date(said);
    if (at && isDay(said.slice(0, 10)) && !Number.isNaN(at.getTime())) return at;
    context.addIssue({ code: 'custom', message: must(takes).error });
    return z.NEVER;
  });

/** When something begins: a moment, or a day, which begins at midnight UTC. */
export const begin = dayOr('takes.begin', (day) => startOfDay(day, 'UTC'));

/** When something ends: a moment, or a day, which is over at midnight UTC. */
const end = dayOr('takes.end', (day) => startOfDay(dayAfter(day), 'UTC'));
const never = z.enum(['never']).transform(() => null);

/** The same, or null for something that does not end. */
export const endOrNever = z
  .union([never, z.null(), end], must('takes.end'))
  .register(plainType, { type: ['string', 'null'] });

export const endSaid = endOrNever.meta({
  description: 'a moment, or a day, which is over at midnight UTC; never: it does not end',
});

/** A moment in the output, which is text in JSON. */
export const moment = z.date().meta({ type: 'string', format: 'date-time' });

export const momentOrNone = moment.nullable();

/** A setting accepts what its text does: in JSON and YAML numbers and switches are not texts. */
export const settingValue = z.union(
  [z.string(), z.number(), z.boolean(), texts],
  must('takes.setting'),
);

const isBytes = z.custom<Uint8Array>((said) => said instanceof Uint8Array);
/** The bytes of a picture, which are base64 in JSON. */
export const picture = z
  .union(
    [isBytes, z.base64().transform((said) => Buffer.from(said, 'base64'))],
    must('takes.picture'),
  )
  .register(plainType, {
    type: 'string',
    format: 'base64',
    contentEncoding: 'base64',
    pattern: z.regexes.base64.source,
  });

/** A map in which all names are known. */
export const strictMap = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, must('takes.names'));

/** A map of things by name. */
export const mapOf = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value, must('takes.names'));
