import type { Brand } from '#lib/brand.ts';
import { isColour, ourAccent } from '#lib/colours.ts';
import { settingsAt } from '../tabs.ts';

/** The name of this server ('' for the default name) and its colour. */
export type Look = { name: string; accent: string };

/** The look of this server, with what is typed so far instead of what is saved. */
export function lookOf(brand: Brand, typed: Readonly<Record<string, string>>): Look {
  const { name = brand.name ?? '', accent = '' } = typed;
  const colour = accent.trim() === '' && typed.accent !== undefined ? ourAccent : accent.trim();
  return {
    name: name.trim().slice(0, 40),
    accent: isColour(colour) ? colour.toLowerCase() : (brand.accent ?? ourAccent),
  };
}

/** Reloads a preview while the user types in the name or the colour (`public/live.js`). */
export const asTyped = {
  'data-live': settingsAt('look'),
  'data-typed': '#look [name="name"], #look [name="accent"]',
};
