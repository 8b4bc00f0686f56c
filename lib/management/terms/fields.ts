import { z } from 'zod';
import { startOfDay } from '../../messages/zone.ts';
import { isDay } from '../../oauth/day.ts';
import { must, text, textsByName, wholeNumber } from '../values.ts';

/** A moment, or a day, which begins at midnight UTC. */
const begin = z.string(must('takes.begin')).transform((said, context) => {
  const at = isDay(said) ? startOfDay(said, 'UTC') : new Date(said);
  if (at && isDay(said.slice(0, 10)) && !Number.isNaN(at.getTime())) return at;
  context.addIssue({ code: 'custom', message: must('takes.begin').error });
  return z.NEVER;
});

/** The one list of what a version says: for acts and configuration file. */
export const termsFields = {
  texts: textsByName.meta({
    description: 'the text by language, such as de; any is for everyone else',
  }),
  from: begin
    .meta({
      description:
        'a moment, or a day, which begins at midnight UTC: from then on people are asked (now)',
    })
    .optional(),
  days: wholeNumber
    .meta({
      description: 'days to think, in which people can go on without agreeing (14)',
      minimum: 0,
      maximum: 400,
    })
    .optional(),
  client_id: text
    .meta({ description: 'the app whose terms they are (terms of this server)' })
    .optional(),
};
