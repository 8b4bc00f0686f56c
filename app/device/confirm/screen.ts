import { isSame, sealedShown, shownOn } from '#app/consent/shown.ts';
import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import {
  type DeviceVisit,
  type DeviceVisitKeptOut,
  readDeviceVisit,
} from '#lib/interaction/device-request.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { isOver } from '#lib/oauth/consent-period.ts';
import { wordFor } from '#lib/oauth/grant-words.ts';
import { readBranding } from '#lib/store/branding.ts';
import { findGrant } from '#lib/store/grants.ts';
import { scopesAt } from '#lib/store/scopes.ts';
import { fieldsAt } from '#lib/store/user-fields.ts';

type Asked = { sealedCode: string; app: FacedApp };

/** The view model of the page that asks about a device, or says that its app may not be used. */
type ConfirmScreen =
  | (Asked & { keptOut: DeviceVisitKeptOut })
  | (Asked & {
      csrf: string;
      seen: string;
      asked: DeviceVisit;
      scopes: Awaited<ReturnType<typeof scopesOf>>;
    });

/** Reads the page, or where to redirect first. */
export async function readConfirmScreen(
  request: VisitorRequest,
  sealedCode: string,
  now: Date,
): Promise<ConfirmScreen | Elsewhere> {
  const visit = await readDeviceVisit(request, sealedCode, now);
  if ('elsewhere' in visit) return visit;
  const app = await appPageOf(visit.client);
  if ('keptOut' in visit) {
    await readBranding();
    return { sealedCode, app, keptOut: visit };
  }
  return {
    ...{ sealedCode, app, asked: visit, csrf: csrfOfRequest(request) },
    seen: await sealedShown.seal(await shownFor(visit)),
    scopes: await scopesOf(visit, now),
  };
}

async function scopesOf({ session, client, visit, apis, words }: DeviceVisit, now: Date) {
  const [scopes, fields, grant] = [
    await scopesAt(visit.revision),
    await fieldsAt(visit.revision),
    await findGrant(session.user.id, client.id),
  ];
  const held = grant && !isOver(grant, now) ? grant : null;
  return words.map((word) => ({
    ...wordFor(word, { scopes, fields, apis }),
    added: held !== null && !held.scopes.includes(word),
  }));
}

/** What the user decides on. */
async function shownFor({ device, client, session, visit, apis, words }: DeviceVisit) {
  const request = { consentScope: words, resources: { apis, ignored: [] } };
  const asked = { client, target: { uri: '' }, request };
  return shownOn(device.id, asked, session, await fieldsAt(visit.revision));
}

/** Whether the copy that the form sent back matches what the page would show now. */
export async function wasSeen(sent: string | undefined, asked: DeviceVisit): Promise<boolean> {
  return isSame(sent, await shownFor(asked));
}
