import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** How many guesses a password withstands, of somebody who knows these words. */
export type StrengthWork = { id: number; password: string; words: readonly string[] };
export type StrengthDone = { id: number; guesses: number };

/*
 * Time grows with the square of what is read and of what may stand for another letter: what comes
 * after the first characters makes no password weaker.
 */
const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...german },
  graphs: adjacencyGraphs,
  maxLength: 32,
  l33tMaxSubstitutions: 4,
});

parentPort?.on('message', ({ id, password, words }: StrengthWork) => {
  const { guesses } = estimator.check(password, [...words]);
  parentPort?.postMessage({ id, guesses } satisfies StrengthDone);
});
