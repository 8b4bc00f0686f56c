import type { Client } from './client.ts';

/*
 * An app that registered itself can give itself any name. People see its host first. The name may
 * be shown below, unless it imitates another.
 */

/**
 * Letters and digits of other scripts that look like Latin ones. This recognises more look-alikes
 * than the comparison of user names does: hiding a harmless app name costs nothing, because the
 * host is shown anyway.
 */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['а', 'a'],
    ['е', 'e'],
    ['о', 'o'],
    ['р', 'p'],
    ['с', 'c'],
    ['х', 'x'],
    ['у', 'y'],
    ['і', 'l'],
    ['ј', 'j'],
    ['ѕ', 's'],
    ['һ', 'h'],
    ['ԁ', 'd'],
    ['ɡ', 'g'],
    ['ԛ', 'q'],
    ['ԝ', 'w'],
    ['к', 'k'],
    ['м', 'm'],
    ['т', 't'],
    ['α', 'a'],
    ['ε', 'e'],
    ['ι', 'l'],
    ['κ', 'k'],
    ['ν', 'v'],
    ['ο', 'o'],
    ['ρ', 'p'],
    ['τ', 't'],
    ['υ', 'u'],
    ['χ', 'x'],
    ['ı', 'l'],
    ['i', 'l'],
    ['1', 'l'],
    ['|', 'l'],
    ['!', 'l'],
    ['0', 'o'],
    ['3', 'e'],
    ['4', 'a'],
    ['5', 's'],
  ].map(([odd = '', plain = '']) => [odd, plain]),
);

/** What a name looks like at a glance: only its letters and digits, with look-alikes unified. */
function glanceOf(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return [...letters]
    .map((letter) => lookalikes[letter] ?? letter)
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Whether a word mixes several scripts that look alike. */
export function mixesScripts(name: string): boolean {
  return name.split(/\s+/).some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Shorter names would also be found within harmless words. */
const shortest = 4;

function looksLike(name: string, own: string): boolean {
  const [seen, ours] = [glanceOf(name), glanceOf(own)];
  if (ours === '') return false;
  return ours.length < shortest ? seen === ours : seen.includes(ours);
}

/**
 * The name that an app gave itself, if it may be shown; null if it imitates this server or mixes
 * scripts.
 * @param own the names of this server
 */
export function shownSelfGivenName(name: string, own: readonly string[]): string | null {
  if (mixesScripts(name) || own.some((each) => looksLike(name, each))) return null;
  return name;
}

/** The name that people see for an app; for a self-registered app its proved host. */
export function nameByProof({
  name,
  origin,
  host,
}: Pick<Client, 'name' | 'origin' | 'host'>): string {
  return origin === 'admin' ? name : (host ?? name);
}

/** The name that admins see for an app: what is proved comes first, what it calls itself second. */
export function nameForAdmins(app: Pick<Client, 'name' | 'origin' | 'host'>): string {
  const proved = nameByProof(app);
  return proved === app.name ? proved : `${proved} (“${app.name}”)`;
}
