import { answered, type Exchange, explain, read, show } from '../transcript.ts';
import type { Answer, Json, Server } from './party.ts';

/**
 * One action: what happened, the clause it follows, the request, and what was read from the
 * response.
 */
export type Step = {
  says: string;
  /** The standard and its section; missing if no standard covers the action. */
  clause?: string;
  exchange: Exchange;
  /** The content of a token, or what was said about one. */
  reads?: { what: string; values: Json };
  /** The request was refused, in whatever form. */
  refused: boolean;
};

/** Prints each step in the terminal, and keeps the steps since `clear` for the agent's page. */
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

  /** Notes the response to a call that was noted before. */
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

/** A request to a server, in the form that is printed. */
export const exchangeOf = ({ path, form, status, body }: Answer, at: Server): Exchange => ({
  method: 'POST',
  path,
  at: at.name,
  form,
  status,
  body,
});

/** The claims of a JWT. Its signature is not checked: that is up to its recipients. */
export function claimsIn(jwt: unknown): Json {
  const [, payload = ''] = String(jwt).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json;
}
