// Plain JavaScript for Node 20: this runs before anything is installed.

/** @typedef {'install' | 'generate' | 'messages' | 'build' | 'bundle' | 'docs' | 'begin'} StepName */

/**
 * What source files need to run.
 * @type {StepName[]}
 */
export const toRun = ['install', 'generate', 'messages'];
/**
 * With what the production server serves.
 * @type {StepName[]}
 */
export const toServe = [...toRun, 'build', 'bundle', 'docs'];

/**
 * The steps of each command, in order; `begin` is what it does then, where that goes on.
 * @satisfies {Record<string, StepName[]>}
 */
export const needs = {
  start: [...toServe, 'begin'],
  dev: [...toRun, 'begin'],
  demo: [...toServe, 'begin'],
  sandbox: [...toServe, 'begin'],
  build: toServe,
  cli: toRun,
  docs: toRun,
  check: toRun,
  bench: toServe,
  'bench:peers': toServe,
  'bench:memory': toServe,
  'bench:package': toServe,
  'bench:lists': toRun,
  'bench:pages': toServe,
  'bench:import': toServe,
  'bench:enumeration': toServe,
  fuzz: toServe,
  soak: toServe,
  pictures: toServe,
  test: toServe,
  package: toServe,
  release: ['install'],
  migration: ['install'],
};

/** @typedef {keyof typeof needs} CommandName */

/**
 * @param {string} command
 * @returns {command is CommandName}
 */
export const isCommand = (command) => Object.hasOwn(needs, command);

/**
 * Which of how many, in front of the title of a step: `Step 3 of 5: `.
 * @param {StepName} step
 * @param {readonly StepName[]} steps in order
 */
export const placeOf = (step, steps) =>
  steps.length > 1 ? `Step ${steps.indexOf(step) + 1} of ${steps.length}: ` : '';
