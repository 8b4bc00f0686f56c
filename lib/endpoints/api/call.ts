import { json } from '../../http/answers.ts';
import type { HttpHeaders, HttpRequest, HttpResponse } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { needOf } from '../../identity/guards.ts';
import { type By, begin } from '../../management/act.ts';
import type { ApiNoun, Level } from '../../management/api-key/rights.ts';
import { may } from '../../people/roles.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import { hasOne, locationOf, nextLink } from './addresses.ts';
import { type Caller, checkBeside, checkRight, checkTold, readCaller } from './caller.ts';
import type { Call } from './find.ts';
import { telling } from './limits.ts';
import { answered } from './lists.ts';
import { answerOnce, readOnceKey } from './once.ts';
import { planCall } from './plan.ts';
import { problemOf } from './refused.ts';
import type { AnyAct, ApiMethod } from './routes.ts';
import { checkAccept, isPlan, readSaid, type Said } from './said.ts';
import { inTurn } from './turn.ts';
import { ifTagMatches, isUnchanged, readIfMatch, tagAfter, tagOf } from './versions.ts';

/** Performs the act at the address, for the caller. @throws Problem, OAuthRefusal */
export async function answerCall(
  call: Call,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const caller = await readCaller(call, request, now);
  const answer = await answerTo(caller, call, request, now).catch((error: unknown) => {
    throw telling(error, caller.limits);
  });
  return { ...answer, headers: { ...answer.headers, ...caller.nonce, ...caller.limits } };
}

async function answerTo(
  caller: Caller,
  call: Call,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const act = actOf(call);
  // Checked before anything is read, even a kept answer.
  if (!may(caller.role, needOf(act.may).permission))
    refuseAs(403, `The role ${caller.role} may not do this.`);
  const level = levelOf(call.method, act);
  checkRight(caller, call.noun, level);
  checkAccept(request);
  const said = await readSaid(call, act, request);
  checkTold(caller, call.method, call.template, said);
  checkBeside(caller, call.noun, level, said);
  const isPlanned = isPlan(call.method, request);
  const tags = readIfMatch(call, request);
  const key = isCreation(call) ? readOnceKey(request) : null;
  const by = byOf(call, caller, said, now);
  if (isPlanned && act.waits) refuseWaiting(call);
  const begun = () => begin(act, said, by);
  try {
    if (key !== null && !isPlanned)
      return await answerOnce({ key, call, caller, said }, now, async () => {
        const run = await begun();
        return () => answerOf(call, run, by, request);
      });
    const run = await begun();
    const go = (by: By) => answerOf(call, run, by, request);
    if (isPlanned) return json(200, await planCall(() => ifTagMatches(tags, call, by, run)));
    return await (tags === null ? go(by) : inOne(() => ifTagMatches(tags, call, by, go)));
  } catch (error) {
    throw problemOf(error, call, said);
  }
}

const inOne = <T>(work: () => Promise<T>): Promise<T> =>
  inTurn(() => inOneTransaction(async () => ({ keep: true, value: await work() })));

/** @throws Problem always */
function refuseWaiting({ method, template }: Call): never {
  const why = `${method} ${template} waits for another machine, and a plan would hold all other changes meanwhile.`;
  return refuseAs(
    422,
    `${why} Leave plan out of the address; if its body takes plan, send it there.`,
  );
}

const actOf = ({ operations, method }: Call): AnyAct =>
  operations[method] ?? refuseAs(405, 'There is no such method here.');

/** Acts for which people need a fresh sign-in have a level of their own. */
export function levelOf(method: ApiMethod, act: AnyAct): Level {
  if (needOf(act.may).fresh) return 'loosen';
  return method === 'GET' ? 'read' : 'write';
}

/** Whether a call makes something that gets an address of its own. */
export const isCreation = ({
  noun,
  template,
  method,
}: Pick<Call, 'noun' | 'template' | 'method'>) => method === 'POST' && hasOne(noun, template);

function byOf({ noun }: Call, caller: Caller, said: Said, now: Date): By {
  const { actor, role } = caller;
  const demandFresh = (besides?: ApiNoun) => {
    checkRight(caller, noun, 'loosen');
    checkBeside(caller, noun, 'loosen', said);
    if (besides) checkRight(caller, besides, 'loosen');
  };
  return { actor, role, now, demandFresh };
}

async function answerOf(
  call: Call,
  run: (by: By) => Promise<unknown>,
  by: By,
  request: HttpRequest,
): Promise<HttpResponse> {
  const told = await run(by);
  if (call.method === 'GET') return read(call, answered(actOf(call), told), request);
  const etag = call.method === 'DELETE' ? null : await tagAfter(call, told, by);
  const versioned: HttpHeaders = etag ? { etag } : {};
  if (!isCreation(call)) return json(200, told, versioned);
  return json(201, told, { ...versioned, ...locationOf(call, told) });
}

function read(call: Call, told: unknown, request: HttpRequest): HttpResponse {
  const etag = actOf(call).version ? tagOf(told) : null;
  const versioned: HttpHeaders = etag ? { etag } : {};
  if (etag && isUnchanged(request, etag))
    return { status: 304, headers: { ...versioned, 'cache-control': 'no-store' } };
  return json(200, told, { ...versioned, ...nextLink(call, request, told) });
}
