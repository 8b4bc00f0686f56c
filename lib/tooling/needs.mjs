// Plain JavaScript for Node 20: this runs before anything is installed.

/** @typedef {'install' | 'generate' | 'messages' | 'build' | 'bundle' | 'docs' | 'begin'} StepName */

/**
 * The steps that source files need before they can run.
 * @type {StepName[]}
 */
const toRun = ['install', 'generate', 'messages'];
/**
 * The same, plus what the production server serves.
 * @type {StepName[]}
 */
export const toServe = [...toRun, 'build', 'bundle', 'docs'];

/**
 * The steps of each command, in order; `begin` stands for a command that then keeps running.
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
  'bench:ldap': toServe,
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
 * The position of a step, shown before its title: `Step 3 of 5: `.
 * @param {StepName} step
 * @param {readonly StepName[]} steps in order
 */
export const placeOf = (step, steps) =>
  steps.length > 1 ? `Step ${steps.indexOf(step) + 1} of ${steps.length}: ` : '';
