import type { Client } from './client.ts';

/**
 * The links that people are shown of an app, in this order: the field of a client, and its name in
 * the metadata by which an app describes itself (RFC 7591 section 2).
 */
const metadataNames = {
  homePage: 'client_uri',
  privacyLink: 'policy_uri',
  termsLink: 'tos_uri',
} as const;
export type AppLink = keyof typeof metadataNames;
export type AppLinks = Pick<Client, AppLink>;

export const appLinks = Object.keys(metadataNames) as AppLink[];

/** The names of the links in metadata. */
export const linkNames = Object.values(metadataNames);

/** The links that lead somewhere, as metadata. */
export const linksAsMetadata = (client: AppLinks) =>
  Object.fromEntries(
    appLinks.flatMap((link) => (client[link] ? [[metadataNames[link], client[link]]] : [])),
  );

/** The links of metadata: `read` judges each. */
export const linksOfMetadata = (
  metadata: Readonly<Record<string, unknown>>,
  read: (given: unknown) => string | null,
) => eachLink((link) => read(metadata[metadataNames[link]]));

/** A value for each link. */
export const eachLink = <Value>(read: (link: AppLink) => Value) =>
  Object.fromEntries(appLinks.map((link) => [link, read(link)])) as Record<AppLink, Value>;
