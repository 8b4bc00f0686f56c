import { json } from '../../http/answers.ts';
import type { HttpHeaders, HttpRequest, HttpResponse } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { needOf } from '../../identity/guards.ts';
import { type By, perform } from '../../management/act.ts';
import type { Level } from '../../management/api-key/rights.ts';
import { may } from '../../people/roles.ts';
import { hasOne, locationOf, nextLink } from './addresses.ts';
import { type Caller, checkRight, readCaller } from './caller.ts';
import type { Call } from './find.ts';
import { answerOnce } from './once.ts';
import { planned } from './plan.ts';
import { problemOf } from './refused.ts';
import type { AnyAct, ApiMethod } from './routes.ts';
import { checkAccept, isPlan, readSaid, type Said } from './said.ts';
import { etagOf, isUnchanged, readIfMatch } from './versions.ts';

/** Answers a call: the act that stands there, done by whoever calls. @throws Problem, OAuthRefusal */
export async function answerCall(
  call: Call,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const caller = await readCaller(request, now);
  const act = actOf(call);
  // Before anything is read, an answer that was kept included.
  if (!may(caller.role, needOf(act.may).permission))
    refuseAs(403, `The role ${caller.role} may not do this.`);
  checkRight(caller, call.noun, levelOf(call.method, act));
  checkAccept(request);
  const said = await readSaid(call, act, request);
  const isPlanned = isPlan(call.method, request);
  const by = await byOf(call, caller, request, now);
  try {
    if (isPlanned) return json(200, await planned(act, said, by));
    if (isCreation(call) && request.header('idempotency-key') !== undefined)
      return await answerOnce({ call, caller, said }, request, now, () =>
        answerOf(call, said, by, request),
      );
    return await answerOf(call, said, by, request);
  } catch (error) {
    throw await problemOf(error, call, said, by);
  }
}

const actOf = ({ operations, method }: Call): AnyAct =>
  operations[method] ?? refuseAs(405, 'There is no such method here.');

/** What a caller needs for a call: what asks people for a fresh sign-in has a level of its own. */
export function levelOf(method: ApiMethod, act: AnyAct): Level {
  if (needOf(act.may).fresh) return 'loosen';
  return method === 'GET' ? 'read' : 'write';
}

/** Whether a call makes something that has an address of its own then. */
export const isCreation = ({
  noun,
  template,
  method,
}: Pick<Call, 'noun' | 'template' | 'method'>) => method === 'POST' && hasOne(noun, template);

async function byOf(call: Call, caller: Caller, request: HttpRequest, now: Date): Promise<By> {
  const { actor, role } = caller;
  const by: By = { actor, role, now, demandFresh: () => checkRight(caller, call.noun, 'loosen') };
  const seen = await readIfMatch(call, request, by);
  return seen === undefined ? by : { ...by, seen };
}

async function answerOf(
  call: Call,
  said: Said,
  by: By,
  request: HttpRequest,
): Promise<HttpResponse> {
  const act = actOf(call);
  const told = await perform(act, said, by);
  const etag = etagOf(act, told);
  const versioned: HttpHeaders = etag ? { etag } : {};
  if (call.method === 'GET' && etag && isUnchanged(request, etag))
    return { status: 304, headers: { ...versioned, 'cache-control': 'no-store' } };
  if (isCreation(call)) return json(201, told, { ...versioned, ...locationOf(call, told) });
  return json(200, told, { ...versioned, ...nextLink(call, request, told) });
}
