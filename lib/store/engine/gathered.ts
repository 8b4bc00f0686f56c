import { outsideTransaction } from './transaction.ts';

/** The maximum number of questions in one statement. */
const most = 200;

type Waiting<Question, Answer> = {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

/**
 * Batches questions: those asked in one turn of the event loop share a statement, and so a round
 * trip. No statement is sent before its questions were asked, so no answer is older than its
 * request.
 */
export class Gathered<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>;
  #waiting: Waiting<Question, Answer>[] = [];

  /** @param ask gives the answers in the order of the questions */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask;
  }

  /** The answer to one question. @throws what asking for the whole batch throws */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ question, resolve, reject }) === 1)
        outsideTransaction(() => setImmediate(() => this.#askAll()));
    });
  }

  #askAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += most)
      void this.#answer(waiting.slice(at, at + most));
  }

  async #answer(waiting: Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(waiting.map(({ question }) => question));
      for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
