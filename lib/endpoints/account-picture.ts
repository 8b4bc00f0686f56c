import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { readUpload } from '../http/upload.ts';
import { signInAt } from '../identity/back.ts';
import { checkFormPost } from '../identity/browser.ts';
import { eventOf } from '../identity/events.ts';
import { readSession } from '../identity/session.ts';
import { type PictureFault, readPicture } from '../management/pictures.ts';
import type { MessageKey } from '../messages/text.ts';
import { removePicture, storePicture } from '../store/pictures.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { profilePage } from './account-pages.ts';
import { backTo, withPerson } from './form.ts';

const faults: Record<PictureFault | 'missing', MessageKey> = {
  missing: 'picture.missing',
  heavy: 'picture.heavy',
  kind: 'picture.kind',
  pixels: 'picture.pixels',
  broken: 'picture.broken',
  busy: 'picture.busy',
};
const refused = (fault: keyof typeof faults) =>
  backTo(profilePage, { fieldErrors: { file: faults[fault] } });

/** A picture of the person, in place of the one there is. Nobody else is let send so much. */
export async function submitPicture(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { session } = await readSession(request, now);
  if (!session) return redirect(signInAt(profilePage));
  const { id } = session.user;
  if ((await takeThrottledTry(`picture:${id}`, 30, now)) === 'refused') return refused('busy');
  const upload = await readUpload(request);
  if (upload === 'too-large') return refused('heavy');
  checkFormPost(request, upload.fields);
  if (upload.file.length === 0) return refused('missing');
  const picture = await readPicture(upload.file, 'portrait');
  if ('fault' in picture) return refused(picture.fault);
  const detail = { picture: { bytes: picture.bytes.length } };
  await storePicture(id, picture, eventOf(request, id, 'user.updated', detail), now);
  return backTo(profilePage, { done: 'picture.done' });
}

/** Takes it away again. */
export function submitRemovePicture(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, profilePage, async ({ user }) => {
    const removed = await removePicture(
      user.id,
      eventOf(request, user.id, 'user.updated', { picture: null }),
      now,
    );
    return backTo(profilePage, removed ? { done: 'picture.removed' } : {});
  });
}
