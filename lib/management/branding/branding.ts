import type { Brand, BrandPicture } from '../../brand.ts';
import { isColour } from '../../colours.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { linkFault } from '../../oauth/client-links.ts';
import { isSoundName } from '../../oauth/name.ts';
import { readMailto } from '../../people/email.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/branding.ts';
import { type SeenChange, storeAll } from '../../store/settings.ts';
import { readLogo } from '../client/logos.ts';
import { difference } from '../difference.ts';
import { checkNotKept } from '../kept.ts';
import { drawnAs } from '../pictures.ts';
import { checkSeen, type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';
import { versionOf } from '../version.ts';
import { flatWords, tidyWords, wordsFaults } from './words.ts';

const maxLinks = 5;
const branding = { kind: 'branding', key: '' } as const;

/** The branding in force, and the version to send back with a change. */
export function showBranding(): Promise<store.StoredBrand> {
  return store.readBranding();
}

/** The version of what the form of the look shows. Words have forms of their own. */
export const versionOfLook = ({ name, accent, supportLink, footerLinks }: BrandChange): string =>
  versionOf(name, accent, supportLink, footerLinks);

export type BrandChange = Omit<Brand, BrandPicture>;

/** A branding without its pictures. */
export function withoutPictures({ logo: _, darkLogo: __, icon: ___, ...rest }: Brand): BrandChange {
  return rest;
}

/** Changes everything but the pictures. `seen` is the edited version. @throws AdminRefusal */
export async function changeBranding(
  change: BrandChange,
  seen: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const changes = await brandingChanges(change, seen, actor);
  if (changes.length > 0 && (await storeAll(changes, now)) === 'changed-meanwhile')
    refuseConflict('branding');
}

/** The row to store for a change, or none if it changes nothing. @throws AdminRefusal */
export async function brandingChanges(
  given: BrandChange,
  seen: string,
  actor: Actor,
): Promise<SeenChange[]> {
  const { brand, stored } = await store.readBranding();
  const change = { ...given, words: tidyWords(given.words) };
  refuseFaults(brandingFaults(change));
  checkSeen('branding', stored, seen);
  const [was, is] = [flat(brand), flat(change)];
  const detail = difference(was, is, Object.keys({ ...was, ...is }));
  if (Object.keys(detail).length === 0) return [];
  await checkNotKept(branding, actor);
  const event = eventBy(actor, 'branding.changed', { detail });
  return [{ ...store.brandRow(change), seen, event }];
}

/** A branding with a separate field for each text, for the audit log. */
function flat({ name, accent, supportLink, footerLinks, words }: BrandChange) {
  const fields: Record<string, unknown> = { name, accent, supportLink, footerLinks };
  return { ...fields, ...flatWords(words) };
}

/** What is wrong with a change, one sentence for each field. */
export function brandingFaults(change: BrandChange): Faults {
  const { name, accent, supportLink, footerLinks } = change;
  const faults: Faults = wordsFaults(change.words);
  if (name !== null && (/[{}]/.test(name) || !isSoundName(name, 40)))
    faults.name = sentence('refused.branding.name');
  if (accent !== null && !isColour(accent)) faults.accent = sentence('refused.branding.accent');
  const support = supportLink === null ? null : supportFault(supportLink);
  if (support) faults.supportLink = support;
  const links = footerLinks.map(({ label, href }) => footerFault(label, href)).find(Boolean);
  if (links) faults.footerLinks = links;
  if (footerLinks.length > maxLinks)
    faults.footerLinks = sentence('refused.branding.tooManyLinks', { most: maxLinks });
  return faults;
}

function supportFault(link: string): Sentence | null {
  const isMail = link.length < 300 && !link.includes('?') && readMailto(link) !== null;
  return isMail ? null : ofRule(linkFault(link));
}

function footerFault(label: string, href: string): Sentence | null {
  if (!href) return sentence('refused.branding.noAddress', { label: label.slice(0, 40) });
  if (!isSoundName(label, 60)) return sentence('refused.branding.label');
  return ofRule(linkFault(href));
}

/** Sets one of this server's pictures: PNG, JPEG, WebP or GIF. @throws AdminRefusal */
export async function setBrandPicture(
  which: BrandPicture,
  bytes: Uint8Array,
  actor: Actor,
  now: Date,
): Promise<void> {
  await checkNotKept(branding, actor);
  const picture = await readLogo(bytes, drawnAs(which));
  if (which === 'darkLogo' && (await showBranding()).brand.logo === null)
    refuseAdmin(which, sentence('refused.branding.noLogo'));
  const event = eventBy(actor, 'branding.changed', { detail: { [which]: picture.facts } });
  await store.storeBrandPicture(which, picture, event, now);
}

/** Removes one of this server's pictures, and the dark logo with the logo. @throws AdminRefusal */
export async function removeBrandPicture(
  which: BrandPicture,
  actor: Actor,
  now: Date,
): Promise<void> {
  await checkNotKept(branding, actor);
  const event = eventBy(actor, 'branding.changed', { detail: { [which]: null } });
  await store.storeBrandPicture(which, null, event, now);
}
