import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** A request: how many guesses does a password withstand from someone who knows these words? */
export type StrengthWork = { id: number; password: string; words: readonly string[] };
export type StrengthDone = { id: number; guesses: number };

/*
 * The time of a check grows with the square of both limits. Characters beyond the first 32 can't
 * make a password weaker.
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
