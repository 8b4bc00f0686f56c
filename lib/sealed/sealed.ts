import type { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { boundTo, isBoundTo } from './browser.ts';
import { isSealedWithCurrent, type SealPurpose, seal, unseal } from './seal.ts';

/** What holds for every value of a purpose. */
type Terms = {
  /** Characters of the sealed text. A longer one is not looked at. */
  max: number;
};

/** Such a value opens in the browser it was made for, and only for a while. */
type BoundTerms = Terms & {
  bound: 'browser';
  /** Seconds. */
  life: number;
  /** Which key of the sealed JSON holds the moment: `t` when it was made, `e` when it ends. */
  clock: 't' | 'e';
};

/** Who asks for a bound value, and when. */
type Asked = [request: PageRequest, now: Date];

/** One kind of sealed value: what makes it, and what opens it. */
type Sealed<T, At extends Asked | []> = {
  seal(value: T, ...at: At): Promise<string>;
  /**
   * The value behind a text, or null: for what is no seal of this purpose, too long, of another
   * shape and, where these terms hold, of another browser or past its time. Never throws.
   */
  open(text: string | undefined, ...at: At): Promise<T | null>;
  /** Whether a text that opens is sealed with the current server secret, not one that it replaced. */
  isCurrent(text: string): boolean;
};

/**
 * The kind of sealed value for one purpose. Keys of `shape` are what travels: a value that an
 * earlier release sealed must open. `b` and the clock's key belong to the terms of a bound one.
 */
export function sealed<T>(purpose: SealPurpose, shape: z.ZodType<T>, terms: Terms): Sealed<T, []>;
export function sealed<T extends object>(
  purpose: SealPurpose,
  shape: z.ZodType<T>,
  terms: BoundTerms,
): Sealed<T, Asked>;
export function sealed<T>(
  purpose: SealPurpose,
  shape: z.ZodType<T>,
  terms: Terms | BoundTerms,
): Sealed<T, [] | Asked> {
  return {
    seal: (value, ...at) => seal(purpose, withTerms(value, terms, at)),
    async open(text, ...at) {
      if (!text || text.length > terms.max) return null;
      const value = await unseal(purpose, text);
      if (!meets(value, terms, at)) return null;
      const parsed = shape.safeParse(value);
      return parsed.success ? parsed.data : null;
    },
    isCurrent: (text) => isSealedWithCurrent(purpose, text),
  };
}

function withTerms(value: unknown, terms: Terms | BoundTerms, at: [] | Asked): unknown {
  if (!('bound' in terms)) return value;
  const [request, now] = at as Asked;
  const moment = now.getTime() + (terms.clock === 'e' ? terms.life * 1000 : 0);
  return { ...(value as object), b: boundTo(request), [terms.clock]: moment };
}

function meets(value: unknown, terms: Terms | BoundTerms, at: [] | Asked): boolean {
  if (!('bound' in terms)) return true;
  const [request, now] = at as Asked;
  const { b, [terms.clock]: moment } = (value ?? {}) as Record<string, unknown>;
  if (typeof b !== 'string' || typeof moment !== 'number') return false;
  const ends = terms.clock === 'e' ? moment : moment + terms.life * 1000;
  return isBoundTo(b, request) && now.getTime() <= ends;
}
