import cluster, { type Worker } from 'node:cluster';
import { type Message, onPrimary, tellPrimary } from './process-role.ts';

/** Milliseconds after which workers that have not sent their figures are left out. */
const patience = 2000;

type Question = {
  asker: Worker;
  number: number;
  parts: unknown[];
  missing: Set<Worker>;
  done: () => void;
};

/**
 * In the primary: passes a worker's question for metrics on to the other workers, and their answers
 * back.
 */
export function relayMetrics(ready: () => Worker[]): void {
  const asked = new Map<number, Question>();
  let last = 0;
  cluster.on('message', (worker, message: Message) => {
    if (message?.is === 'metrics') return take(asked.get(message.question), worker, message.parts);
    if (message?.is !== 'ask-metrics') return;
    last += 1;
    const number = last;
    const others = ready().filter((other) => other !== worker);
    asked.set(number, {
      asker: worker,
      number: message.question,
      parts: [],
      missing: new Set(others),
      done: () => asked.delete(number),
    });
    ask(asked.get(number) as Question, number);
  });
}

function ask(question: Question, number: number): void {
  const late = setTimeout(() => end(question), patience);
  const { done } = question;
  question.done = () => {
    clearTimeout(late);
    done();
  };
  for (const other of question.missing) send(other, { is: 'ask-metrics', question: number });
  if (question.missing.size === 0) end(question);
}

function take(question: Question | undefined, worker: Worker, parts: unknown[]): void {
  if (!question?.missing.delete(worker)) return;
  question.parts.push(...parts);
  if (question.missing.size === 0) end(question);
}

function end({ asker, number, parts, done }: Question): void {
  done();
  send(asker, { is: 'metrics', question: number, parts });
}

function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/**
 * In a worker: sends its own figures to the workers that ask.
 * @returns a function that asks the other workers for theirs
 */
export function shareMetrics(own: () => Promise<unknown>): () => Promise<unknown[]> {
  const waiting = new Map<number, (parts: unknown[]) => void>();
  let last = 0;
  onPrimary('ask-metrics', ({ question }) => {
    void own()
      .then((part) => tellPrimary({ is: 'metrics', question, parts: [part] }))
      .catch(() => tellPrimary({ is: 'metrics', question, parts: [] }));
  });
  onPrimary('metrics', ({ question, parts }) => waiting.get(question)?.(parts));
  return () => {
    const question = ++last;
    tellPrimary({ is: 'ask-metrics', question });
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve([]), 2 * patience);
      waiting.set(question, (parts) => {
        clearTimeout(late);
        resolve(parts);
      });
    }).then((parts) => {
      waiting.delete(question);
      return parts as unknown[];
    });
  };
}
