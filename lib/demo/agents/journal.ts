import { answered, type Exchange, explain, read, show } from '../transcript.ts';
import type { Answer, Json, Server } from './party.ts';

/** One thing that somebody did: who, whom they asked, by which clause, and what was read from the answer. */
export type Step = {
  says: string;
  /** The standard and its section; none for what no standard says. */
  clause?: string;
  exchange: Exchange;
  /** What a token says, or what is said of it. */
  reads?: { what: string; values: Json };
  /** It was refused, in whatever way that is said. */
  refused: boolean;
};

/** Tells each step in the terminal, and keeps those since it was last cleared for the page of the agent. */
export class Journal {
  #steps: Step[] = [];

  get steps(): readonly Step[] {
    return this.#steps;
  }

  clear(): void {
    this.#steps = [];
  }

  tell(step: Omit<Step, 'refused'> & { refused?: boolean }): void {
    const { says, clause, exchange, reads } = step;
    const refused = step.refused ?? (exchange.status ?? 0) >= 400;
    explain(clause ? `${says} (${clause})` : says);
    show(exchange);
    if (reads) read(reads.what, reads.values);
    this.#steps.push({ ...step, refused });
  }

  /** What somebody answers whose call was told before. */
  answered(who: string, { status, body }: { status: number; body: Json }): void {
    answered(who, status, body);
    const refused = status >= 400;
    this.#steps.push({
      says: refused ? `${who} refuses.` : `${who} answers.`,
      exchange: { method: '', path: '', status },
      reads: { what: `From ${who}`, values: body },
      refused,
    });
  }
}

/** A question to a server, as it is shown. */
export const exchangeOf = ({ path, form, status, body }: Answer, at: Server): Exchange => ({
  method: 'POST',
  path,
  at: at.name,
  form,
  status,
  body,
});

/** What a JWT says. Its signature is for those that it is for. */
export function claimsIn(jwt: unknown): Json {
  const [, payload = ''] = String(jwt).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json;
}
