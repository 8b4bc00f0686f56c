import { readFileSync } from 'node:fs';

type Instruction = { name: string; text: string };

/** The instructions of the Dockerfile, in order, those that are continued in one line. */
const instructions: readonly Instruction[] = readFileSync('Dockerfile', 'utf8')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));

/** Those of its last stage: what makes the image from its base. */
export const lastStage = instructions.slice(
  instructions.findLastIndex(({ name }) => name === 'FROM') + 1,
);

/** What is said with this name. */
export const said = (name: string, among = instructions) =>
  among.filter((one) => one.name === name).map(({ text }) => text);

/** The list in the text of an instruction. @throws SyntaxError */
export const listIn = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[];

/** Names and values of ENV. */
export const environmentOf = (among = instructions): Record<string, string> =>
  Object.fromEntries(
    said('ENV', among).flatMap((text) =>
      [...text.matchAll(/([A-Z_]+)=(\S+)/g)].map((one) => one.slice(1)),
    ),
  );
