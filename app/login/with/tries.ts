import type { HttpRequest } from '#lib/http/message.ts';
import { networksOf } from '#lib/http/network.ts';
import type { Counted } from '#lib/store/throttles.ts';

/** The maximum number of failed answers from one address in a quarter of an hour. */
const mostTries = 60;

/** What an answer is counted under until it is known to be good. */
export const triesOf = (request: HttpRequest, what: 'provider' | 'provider-logout'): Counted[] =>
  networksOf(request).map(({ network, share }) => ({
    key: `${what}:${network}`,
    limit: mostTries * share,
  }));
