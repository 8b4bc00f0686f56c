import { productName } from '../messages/text.ts';
import type { Client, ClientOrigin } from '../oauth/client.ts';
import { nameByProof, shownSelfGivenName } from '../oauth/self-given-name.ts';
import { type AppPage, readAppPage } from '../store/clients.ts';
import { ownerOf } from '../store/contacts.ts';

/** What people may know of an app that registered itself. */
export type Unverified = {
  origin: Exclude<ClientOrigin, 'admin'>;
  /** The host of its document, or one that it leads back to. */
  host: string;
  /** What it calls itself; null: it imitates another, and is not shown. */
  calledItself: string | null;
};

/** An app as a page for people shows it. */
export type FacedApp = AppPage & {
  unverified?: Unverified;
  /** It acts for people by itself. */
  agent?: Agent;
};

/** What people read of who answers for an agent; null: nobody does. */
export type Agent = { owner: string | null };

/**
 * Reads what a page for people shows of an app. One that registered itself stands there by its host,
 * and with those of its links alone that lead there.
 */
export async function appPageOf(client: Client): Promise<FacedApp> {
  const page = await readAppPage(client);
  const { origin, name } = client;
  const agent = client.agent ? { agent: { owner: await ownerOf(client.id) } } : {};
  if (origin === 'admin') return { ...page, ...agent };
  const host = nameByProof(client);
  const own = (link?: string) => (link && hostOf(link) === host ? link : undefined);
  return {
    id: page.id,
    name: host,
    logo: page.logo,
    accent: page.accent,
    homePage: own(page.homePage),
    privacyLink: own(page.privacyLink),
    termsLink: own(page.termsLink),
    ...agent,
    unverified: { origin, host, calledItself: shownSelfGivenName(name, [productName()]) },
  };
}

const hostOf = (link: string) => (URL.canParse(link) ? new URL(link).hostname : '');
