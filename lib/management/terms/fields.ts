import { begin, text, textsByName, wholeNumber } from '../values.ts';

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
