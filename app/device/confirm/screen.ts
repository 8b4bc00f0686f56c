import { isSame, sealedShown } from '#app/consent/shown.ts';
import { wordsOf } from '#lib/endpoints/allow-device.ts';
import type { PageRequest } from '#lib/http/message.ts';
import {
  type DeviceVisit,
  type KeptOut,
  readDeviceVisit,
} from '#lib/interaction/device-request.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { labelsIn } from '#lib/oauth/user-field.ts';
import { readBranding } from '#lib/store/branding.ts';
import { type AppPage, readAppPage } from '#lib/store/clients.ts';
import { findGrant } from '#lib/store/grants.ts';
import { scopesAt } from '#lib/store/scopes.ts';
import { fieldsAt } from '#lib/store/user-fields.ts';

type Asked = { sealedCode: string; app: AppPage };

/** The view model of the page that asks about a device, or says that its app may not be used. */
export type ConfirmScreen =
  | (Asked & { keptOut: KeptOut })
  | (Asked & {
      csrf: string;
      seen: string;
      asked: DeviceVisit;
      scopes: Awaited<ReturnType<typeof scopesOf>>;
    });

/** Reads the page, or where to redirect first. */
export async function readConfirmScreen(
  request: PageRequest,
  sealedCode: string,
  now: Date,
): Promise<ConfirmScreen | Elsewhere> {
  const visit = await readDeviceVisit(request, sealedCode, now);
  if ('elsewhere' in visit) return visit;
  const app = await readAppPage(visit.client);
  if ('keptOut' in visit) {
    await readBranding();
    return { sealedCode, app, keptOut: visit };
  }
  return {
    ...{ sealedCode, app, asked: visit, csrf: csrfOfRequest(request) },
    seen: await sealedShown.seal(await shownFor(visit)),
    scopes: await scopesOf(visit),
  };
}

async function scopesOf(asked: DeviceVisit) {
  const { session, client, visit } = asked;
  const [known, fields, grant] = [
    await scopesAt(visit.revision),
    await fieldsAt(visit.revision),
    await findGrant(session.user.id, client.id),
  ];
  return wordsOf(asked).map((name) => {
    const row = known.find((scope) => scope.name === name);
    return {
      name,
      description: row?.description ?? '',
      translations: row?.translations ?? {},
      sensitive: row?.sensitive ?? false,
      also: labelsIn(fields, name),
      added: grant !== null && !grant.scopes.includes(name),
    };
  });
}

/** What the user decides on. */
async function shownFor(asked: DeviceVisit) {
  const { device, client, session, visit } = asked;
  const words = wordsOf(asked);
  const fields = await fieldsAt(visit.revision);
  const labels = words.flatMap((word) => labelsIn(fields, word));
  return {
    ...{ f: device.id, u: session.user.id, s: session.hash, c: client.id, r: '' },
    p: words.join(' '),
    ...(labels.length > 0 && { o: digest(labels.join('\n')) }),
  };
}

/** Whether the copy that the form sent back matches what the page would show now. */
export async function wasSeen(sent: string | undefined, asked: DeviceVisit): Promise<boolean> {
  return isSame(sent, await shownFor(asked));
}
