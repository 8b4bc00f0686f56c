import type { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { boundTo, isBoundTo } from './browser.ts';
import { isSealedWithCurrent, seal, unseal } from './seal.ts';

/** What applies to every value of one purpose. */
type Terms = {
  /** The maximum length of the sealed text, in characters. Longer texts are not even opened. */
  max: number;
};

/** A value that opens only in the browser it was made for, and only for a while. */
type BoundTerms = Terms & {
  bound: 'browser';
  /** Seconds. */
  life: number;
  /** The key of the sealed JSON that holds the time: `t` when it was made, `e` when it expires. */
  clock: 't' | 'e';
};

/** The request that makes or opens a bound value, and when. */
type Asked = [request: PageRequest, now: Date];

/** One kind of sealed value: how to make it, and how to open it. */
type Sealed<T, At extends Asked | []> = {
  seal(value: T, ...at: At): Promise<string>;
  /**
   * Opens a text. Null if it is not a seal of this purpose, too long or of another shape; for bound
   * values also if it is from another browser or expired. Never throws.
   */
  open(text: string | undefined, ...at: At): Promise<T | null>;
  /** Whether a text that opens is sealed with the current server secret, not a previous one. */
  isCurrent(text: string): boolean;
};

/**
 * The kind of sealed value for one purpose: a value sealed for one does not open for another. The
 * keys of `shape` are what is sealed, and values that an earlier release sealed must still open. In
 * bound values, `b` and the clock's key are reserved.
 */
export function sealed<T>(purpose: string, shape: z.ZodType<T>, terms: Terms): Sealed<T, []>;
export function sealed<T extends object>(
  purpose: string,
  shape: z.ZodType<T>,
  terms: BoundTerms,
): Sealed<T, Asked>;
export function sealed<T>(
  purpose: string,
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
