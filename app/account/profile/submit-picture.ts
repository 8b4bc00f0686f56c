import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readUpload } from '#lib/http/upload.ts';
import { inUploadPlace } from '#lib/http/upload-places.ts';
import { readSession } from '#lib/identity/session.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { type Picture, type PictureFault, readPicture } from '#lib/management/pictures.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { checkFormPost, checkPostedHere, checkTurn } from '#lib/sealed/browser.ts';
import { eventBy } from '#lib/store/actor.ts';
import { removePicture, storePicture } from '#lib/store/pictures.ts';
import { takeThrottledTry } from '#lib/store/throttles.ts';
import { profilePage } from './submit.ts';

const faults: Record<PictureFault | 'missing', MessageKey> = {
  missing: 'picture.missing',
  heavy: 'picture.heavy',
  kind: 'picture.kind',
  pixels: 'picture.pixels',
  broken: 'picture.broken',
  busy: 'picture.busy',
};
const refused = (fault: keyof typeof faults) =>
  redirectWithFlash(profilePage, { fieldErrors: { file: faults[fault] } });

/**
 * Replaces the user's picture. Only signed-in users may send this much data, and nothing is read
 * before there is room for it.
 */
export async function submitPicture(request: HttpRequest, now: Date): Promise<HttpResponse> {
  checkPostedHere(request);
  const { session } = await readSession(request, now);
  if (!session) return redirect(signInAt(profilePage));
  const { id } = session.user;
  if ((await takeThrottledTry(`picture:${id}`, 30, now)) === 'refused') return refused('busy');
  const picture = await inUploadPlace(id, () => readSent(request));
  if (typeof picture === 'string') return refused(picture);
  const detail = { picture: { bytes: picture.bytes.length } };
  await storePicture(
    id,
    picture,
    eventBy(actorAt(request, id), 'user.updated', { userId: id, detail }),
    now,
  );
  return redirectWithFlash(profilePage, { done: 'picture.done' });
}

/** The uploaded picture, re-encoded, or the fault. @throws PageRefusal, OAuthRefusal */
async function readSent(request: HttpRequest): Promise<Picture | keyof typeof faults> {
  const upload = await readUpload(request);
  if (upload === 'too-large') return 'heavy';
  checkFormPost(request, upload.fields);
  checkTurn(request, upload.fields);
  if (upload.file.length === 0) return 'missing';
  const picture = await readPicture(upload.file, 'portrait');
  return 'fault' in picture ? picture.fault : picture;
}

export function submitRemovePicture(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, profilePage, async ({ user }) => {
    await removePicture(
      user.id,
      eventBy(actorAt(request, user.id), 'user.updated', {
        userId: user.id,
        detail: { picture: null },
      }),
      now,
    );
    return redirectWithFlash(profilePage, { done: 'picture.removed' });
  });
}
