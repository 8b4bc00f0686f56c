import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { checkFormPost } from '../identity/browser.ts';
import { confirmEnrolment, openEnrolment } from '../identity/enrolment.ts';
import { eventOf } from '../identity/events.ts';
import { noticeCookie } from '../identity/notice.ts';
import { notify } from '../identity/notices.ts';
import { readNewPasskey } from '../identity/passkeys.ts';
import { readStep } from '../identity/second-step.ts';
import { makeFirstRecoveryCodes } from '../identity/shown-codes.ts';
import type { MessageKey } from '../messages/text.ts';
import { allMethods } from '../oauth/acr.ts';
import { first, type Params } from '../oauth/params.ts';
import { withParams } from '../oauth/redirect-uri.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { storePasskey } from '../store/passkeys.ts';
import type { User } from '../store/users.ts';
import { startOver } from './factor.ts';
import { languageOfRequest } from './language.ts';
import { readAnswer } from './passkey.ts';
import { afterFirstFactor, finishSignIn } from './signed-in.ts';
import { at, noticePage, readWay, type Way } from './way.ts';

/**
 * The first factor of somebody who has to have one, between the password and the session. Who got
 * one meanwhile, in another window, proves that one: a password alone adds no second.
 */
export async function submitEnrol(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readWay(fields, request);
  const step = await readStep(request, way.flowId, now);
  if (step?.kind !== 'enrol') return startOver(way);
  const { user, amr } = step;
  if (hasFactor(await readFactors(user.id)))
    return (await afterFirstFactor(request, user, amr, way, now)) ?? startOver(way);
  const added = await (first(fields, 'credential') === undefined ? addApp : addPasskey)(
    request,
    user,
    fields,
    now,
  );
  if ('fault' in added) {
    const notice = await noticeCookie({ page: noticePage('enrol', way.flowId), ...added.fault });
    return redirect(atEnrolment('/login/enrol', way, added.keep), [notice]);
  }
  const codes = await makeFirstRecoveryCodes(user.id, request, now);
  const finish =
    codes === null ? {} : { cookies: [codes], location: at('/account/security/codes', way) };
  return (
    (await finishSignIn(request, user, allMethods(amr, added.methods), way, now, {
      ...finish,
      endsOthers: true,
    })) ?? startOver(way)
  );
}

type Fault = { error?: MessageKey; fieldErrors?: Record<string, MessageKey> };
export type Added = { methods: string[] } | { fault: Fault; keep?: string };
type Owner = Pick<User, 'id' | 'username' | 'email' | 'name'>;

/** Turns an authenticator app on, by the first code it shows. */
export async function addApp(
  request: HttpRequest,
  user: Owner,
  fields: Params,
  now: Date,
): Promise<Added> {
  const enrolment = await openEnrolment(first(fields, 'enrolment'), user.id, request, now);
  if (!enrolment) return { fault: { error: 'totp.late' } };
  const stored = await confirmEnrolment(
    user.id,
    enrolment,
    first(fields, 'code') ?? '',
    request,
    now,
  );
  if (stored === 'wrong')
    return { fault: { fieldErrors: { code: 'totp.wrong' } }, keep: enrolment.sealed };
  if (stored === 'already') return { fault: { error: 'totp.late' } };
  await notify(user.id, 'authenticator-added', {}, now);
  return { methods: ['otp'] };
}

/** Adds the passkey that an authenticator has just made. */
export async function addPasskey(
  request: HttpRequest,
  user: Owner,
  fields: Params,
  now: Date,
): Promise<Added> {
  const locale = await languageOfRequest(request, now);
  const passkey = await readNewPasskey(user, readAnswer(fields), request, locale, now);
  const detail = { kind: 'passkey', name: passkey?.name };
  const stored =
    passkey &&
    (await storePasskey(passkey, eventOf(request, user.id, 'factor.added', detail), now));
  if (!passkey || stored !== 'stored') return { fault: { error: 'security.passkeyNotAdded' } };
  await notify(user.id, 'passkey-added', { name: passkey.name }, now);
  return { methods: [passkey.syncable ? 'swk' : 'hwk'] };
}

/** A page that goes on with a secret it has shown already. */
export function atEnrolment(
  path: OwnPath,
  way: Pick<Way, 'sealed' | 'back'>,
  keep: string | undefined,
): OwnAddress {
  const address = at(path, way);
  return keep === undefined ? address : withParams(address, { enrolment: keep });
}
