import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { confirmEnrolment, openEnrolment } from '../identity/enrolment.ts';
import { type Making, readNewPasskey } from '../identity/passkeys.ts';
import { notify } from '../mail/notify.ts';
import type { MessageKey } from '../messages/keys.ts';
import { first, type Params } from '../oauth/params.ts';
import { withParams } from '../oauth/redirect-uri.ts';
import type { AccountBasis } from '../store/account-basis.ts';
import { eventBy } from '../store/actor.ts';
import { storePasskey } from '../store/passkeys.ts';
import type { User } from '../store/users.ts';
import { readAnswer } from './form.ts';
import { languageOfRequest } from './language.ts';
import { type ReturnTo, stepAddress } from './return-to.ts';

type Fault = { error?: MessageKey; fieldErrors?: Record<string, MessageKey> };

export type Added = { methods: string[] } | { fault: Fault; keep?: string };

type Owner = Pick<User, 'id' | 'username' | 'email' | 'name'>;

/**
 * The account that gets a factor, how its user has proved that it is theirs, and who asked for the
 * passkey: the user, unless the browser made it on its own.
 */
type Adding = { user: Owner; basis: AccountBasis; making?: Making };

/** Enables an authenticator app once its first code is right. */
export async function addApp(
  request: HttpRequest,
  { user, basis }: Adding,
  fields: Params,
  now: Date,
): Promise<Added> {
  const enrolment = await openEnrolment(first(fields, 'enrolment'), user.id, request, now);
  if (!enrolment) return { fault: { error: 'totp.late' } };
  const code = first(fields, 'code') ?? '';
  const stored = await confirmEnrolment({ user, basis, enrolment }, code, request, now);
  if (stored === 'wrong')
    return { fault: { fieldErrors: { code: 'totp.wrong' } }, keep: enrolment.sealed };
  if (stored === 'refused') return { fault: { error: 'totp.late' } };
  await notify(user.id, 'authenticator-added', {}, now);
  return { methods: ['otp'] };
}

/** Stores a newly created passkey and notifies its user. */
export async function addPasskey(
  request: HttpRequest,
  { user, basis, making = 'add' }: Adding,
  fields: Params,
  now: Date,
): Promise<Added> {
  const locale = await languageOfRequest(request, now);
  const created = { owner: user, making, locale };
  const passkey = await readNewPasskey(created, readAnswer(fields), request, now);
  const detail = { kind: 'passkey', name: passkey?.name };
  const about = { userId: user.id, detail };
  const event = eventBy(actorAt(request, user.id), 'factor.added', about);
  const stored = passkey && (await storePasskey(passkey, basis, event, now));
  if (!passkey || stored !== 'stored') return { fault: { error: 'security.passkeyNotAdded' } };
  await notify(user.id, 'passkey-added', { name: passkey.name }, now);
  return { methods: [passkey.syncable ? 'swk' : 'hwk'] };
}

/** The address of a step that keeps showing the same secret. */
export function atEnrolment(
  path: OwnPath,
  way: Pick<ReturnTo, 'sealed' | 'back'>,
  keep: string | undefined,
): OwnAddress {
  const address = stepAddress(path, way);
  return keep === undefined ? address : withParams(address, { enrolment: keep });
}
