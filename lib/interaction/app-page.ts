import { productName } from '../messages/text.ts';
import { eachLink } from '../oauth/app-links.ts';
import type { Client, ClientOrigin } from '../oauth/client.ts';
import { nameByProof, shownSelfGivenName } from '../oauth/self-given-name.ts';
import { type AppPage, readAppPage } from '../store/app-page.ts';
import { ownerOf } from '../store/contacts.ts';

/** What people are shown of an app that registered itself. */
export type Unverified = {
  origin: Exclude<ClientOrigin, 'admin'>;
  /** The host of its metadata document, or where its addresses lead. */
  host: string;
  /** The name that the app gave itself; null if it imitates another name, so it is not shown. */
  calledItself: string | null;
};

export type FacedApp = AppPage & {
  unverified?: Unverified;
  /** Set if the app acts for people on its own. */
  agent?: Agent;
  /** What its operator says on its sign-in and consent page, by language. */
  lines?: Client['pageLines'];
};

/** Who answers for an agent, as people are shown it; null if no one does. */
export type Agent = { owner: string | null };

/**
 * Reads what a page for people shows of an app. An app that registered itself is shown by its host,
 * with only those of its links that lead to that host.
 */
export async function appPageOf(client: Client): Promise<FacedApp> {
  const page = await readAppPage(client);
  const { origin, name } = client;
  const agent = client.agent ? { agent: { owner: await ownerOf(client.id) } } : {};
  const said = { ...agent, lines: client.pageLines };
  if (origin === 'admin') return { ...page, ...said };
  const host = nameByProof(client);
  const own = (link?: string) => (link && hostOf(link) === host ? link : undefined);
  return {
    id: page.id,
    name: host,
    logo: page.logo,
    accent: page.accent,
    ...eachLink((link) => own(page[link])),
    ...said,
    unverified: { origin, host, calledItself: shownSelfGivenName(name, [productName()]) },
  };
}

const hostOf = (link: string) => (URL.canParse(link) ? new URL(link).hostname : '');
