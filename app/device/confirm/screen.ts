import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import { type DecisionScreen, decisionScreen } from '#lib/interaction/decision/screen.ts';
import {
  type DeviceDecision,
  type DeviceKeptOut,
  readDeviceDecision,
} from '#lib/interaction/device-request.ts';
import type { Elsewhere } from '#lib/interaction/page.ts';
import { readBranding } from '#lib/store/branding.ts';

/** What the page shows: the question about a device, or that its app may not be used. */
type ConfirmScreen = DecisionScreen<DeviceDecision> | (DeviceKeptOut & { app: FacedApp });

export async function readConfirmScreen(
  request: VisitorRequest,
  sealedCode: string,
  now: Date,
): Promise<ConfirmScreen | Elsewhere> {
  const asked = await readDeviceDecision(request, sealedCode, now);
  if ('elsewhere' in asked) return asked;
  if (!('keptOut' in asked)) return decisionScreen(asked, request, now);
  await readBranding();
  return { ...asked, app: await appPageOf(asked.client) };
}
