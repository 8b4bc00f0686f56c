import { parse } from 'yaml';
import { z } from 'zod';
import { maybeText, maybeTrue, type Reader, shaped, UnreadableFile } from './arrivals.ts';

const user = z.looseObject({
  displayname: maybeText,
  password: maybeText,
  email: maybeText,
  disabled: maybeTrue,
  groups: z.array(z.string()).nullish(),
  given_name: maybeText,
  family_name: maybeText,
  middle_name: maybeText,
  nickname: maybeText,
  locale: maybeText,
  phone_number: maybeText,
});

const file = z.looseObject({ users: z.record(z.string(), user) });

/** The file of users (`users_database.yml`). An address there is the word of whoever keeps the file. */
export const readAuthelia: Reader = (text) => ({
  people: Object.entries(shaped(parsed(text), file).users).map(([username, said]) => {
    const { displayname, password, email, disabled, groups } = said;
    const { given_name, family_name, middle_name, nickname, locale, phone_number } = said;
    return {
      username,
      email,
      disabled,
      name: displayname,
      hash: password,
      claims: { given_name, family_name, middle_name, nickname, locale, phone_number },
      groups: groups ?? [],
    };
  }),
});

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Further lines are those of the file.
    throw new UnreadableFile((error as Error).message.split('\n')[0]?.slice(0, 200) ?? '');
  }
}
