import type { Brand } from '#lib/brand.ts';
import { isColour, ourAccent } from '#lib/colours.ts';
import { settingsAt } from '../tabs.ts';

/** A name for this server, '' for ours, and a colour. */
export type Look = { name: string; accent: string };

/** What this server looks like, with what is typed so far in place of what is saved. */
export function lookOf(brand: Brand, typed: Readonly<Record<string, string>>): Look {
  const { name = brand.name ?? '', accent = '' } = typed;
  const colour = accent.trim() === '' && typed.accent !== undefined ? ourAccent : accent.trim();
  return {
    name: name.trim().slice(0, 40),
    accent: isColour(colour) ? colour.toLowerCase() : (brand.accent ?? ourAccent),
  };
}

/** Brings a preview again while the name or the colour is typed (`public/live.js`). */
export const asTyped = {
  'data-live': settingsAt('look'),
  'data-typed': '#look [name="name"], #look [name="accent"]',
};
