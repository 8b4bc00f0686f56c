import { z } from 'zod';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { digest } from '../../oauth/secrets.ts';
import { sealed } from '../../sealed/sealed.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import {
  fillAnswer,
  findKeptAnswer,
  type KeptAnswer,
  reserveAnswer,
} from '../../store/kept-answers.ts';
import type { Caller } from './caller.ts';
import type { Call } from './find.ts';
import type { Said } from './said.ts';
import { inTurn } from './turn.ts';

const headers = z.record(z.string(), z.string());
const shape = z.object({ status: z.int(), headers, body: z.string() });
/** An answer can hold a secret, which is sent again to a caller who missed it. */
export const sealedAnswer = sealed('api-answer', shape, { max: 200_000 });

/** The Idempotency-Key of a call that creates something. @throws Problem */
export function readOnceKey(request: HttpRequest): string | null {
  const key = request.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key ?? null;
  return refuseAs(400, 'Idempotency-Key takes 1 to 255 visible ASCII characters.');
}

/**
 * Creates something once, however often the same Idempotency-Key is sent within a day. The answer
 * is stored in the same transaction: after a crash both exist or neither. Refusals are not stored,
 * so the same key can be sent again with a corrected request.
 * @param prepare what has to wait; its outcome makes the answer in the transaction
 * @throws Problem
 */
export async function answerOnce(
  { key, call, caller, said }: { key: string; call: Call; caller: Caller; said: Said },
  now: Date,
  prepare: () => Promise<() => Promise<HttpResponse>>,
): Promise<HttpResponse> {
  const hash = digest(`${caller.id} ${key}`);
  const asked = digest(JSON.stringify([call.method, call.template, said]));
  const kept = await findKeptAnswer(hash, now);
  if (kept) return answerAgain(kept, asked);
  const make = await prepare();
  const made = await inTurn(() => makeAndKeep(hash, { caller, asked, now }, make));
  if (made === 'full')
    refuseAs(409, 'Too many answers are kept for this caller. Leave Idempotency-Key out, or wait.');
  if (made !== 'taken') return made;
  const meanwhile = await findKeptAnswer(hash, now);
  return meanwhile
    ? answerAgain(meanwhile, asked)
    : refuseAs(409, 'The same call was going on at the same time. Send it again.');
}

/** Creates it and stores the answer in one transaction. */
function makeAndKeep(
  hash: string,
  { caller, asked, now }: { caller: Caller; asked: string; now: Date },
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse | 'taken' | 'full'> {
  return inOneTransaction<HttpResponse | 'taken' | 'full'>(async () => {
    const reserved = await reserveAnswer(hash, caller.id, asked, now);
    if (reserved !== 'reserved') return { keep: false, value: reserved };
    const response = await make();
    const { status, body = '' } = response;
    const kept = { status, body, headers: headers.parse(response.headers) };
    await fillAnswer(hash, await sealedAnswer.seal(kept));
    return { keep: true, value: response };
  });
}

async function answerAgain({ request, answer }: KeptAnswer, asked: string): Promise<HttpResponse> {
  if (request !== asked)
    refuseAs(422, 'This Idempotency-Key was sent with another request. Use a new one.');
  const known = await sealedAnswer.open(answer);
  if (!known) refuseAs(409, 'It was made, but its answer can no longer be read.');
  return { ...known, headers: { ...known.headers, 'idempotency-replayed': 'true' } };
}
