import { z } from 'zod';
import { jsonIn, maybeText, type Reader, wholeName } from './arrivals.ts';

const users = z.array(
  z.looseObject({
    user_login: maybeText,
    user_email: maybeText,
    display_name: maybeText,
    first_name: maybeText,
    last_name: maybeText,
    user_url: maybeText,
    user_pass: maybeText,
  }),
);

/**
 * What WP-CLI prints: `wp user list --format=json --fields=user_login,user_email,display_name,…`.
 * Roles stay behind: they say what somebody may do on that site.
 */
export const readWordpress: Reader = (text) => ({
  people: jsonIn(text, users).map((said) => {
    const { first_name, last_name } = said;
    return {
      username: said.user_login,
      email: said.user_email,
      name: said.display_name ?? wholeName(first_name, last_name),
      hash: said.user_pass,
      claims: { given_name: first_name, family_name: last_name, website: said.user_url },
    };
  }),
});
