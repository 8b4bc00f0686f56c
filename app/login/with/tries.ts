import type { HttpRequest } from '#lib/http/message.ts';
import { networksOf } from '#lib/http/network.ts';
import type { Counted } from '#lib/store/throttles.ts';

/** Answers that come from one address in a quarter of an hour and lead to nothing. */
const mostTries = 60;

/** What an answer is counted by until it is known to be good. */
export const triesOf = (request: HttpRequest, what: 'provider' | 'provider-logout'): Counted[] =>
  networksOf(request).map(({ network, share }) => ({
    key: `${what}:${network}`,
    limit: mostTries * share,
  }));
