import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Page } from './person.ts';

type Terms = { nonce: string; salt: string; cost: number; prefix: string };

/** Does the work that a page asks for, like ALTCHA’s own solver. */
export async function solve(
  { html, forms }: Page,
  action: string,
): Promise<Record<string, string>> {
  const terms = termsOn(html);
  const { nonce, salt, cost, prefix: keyPrefix } = terms ?? ({} as Terms);
  const parameters = { algorithm: 'PBKDF2/SHA-256', nonce, salt, cost, keyLength: 32, keyPrefix };
  const solution = await solveChallenge({ challenge: { parameters }, deriveKey });
  const work = forms.find((form) => form.action === action)?.fields.work ?? '';
  return { work, proof: String(solution?.counter) };
}

function termsOn(html: string): Terms | null {
  const found = /data-work="([^"]+)"/.exec(html)?.[1];
  return found ? JSON.parse(found.replaceAll('&quot;', '"')) : null;
}
