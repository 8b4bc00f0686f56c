import { readFileSync } from 'node:fs';

type Instruction = { name: string; text: string };

/** The Dockerfile's instructions, in order, with continued lines joined. */
const instructions: readonly Instruction[] = readFileSync('Dockerfile', 'utf8')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));

/** The instructions of the last stage, which builds the image from its base. */
export const lastStage = instructions.slice(
  instructions.findLastIndex(({ name }) => name === 'FROM') + 1,
);

/** The texts of the instructions with this name. */
export const said = (name: string, among = instructions) =>
  among.filter((one) => one.name === name).map(({ text }) => text);

/** The list in an instruction's text. @throws SyntaxError */
export const listIn = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[];

/** The names and values that ENV sets. */
export const environmentOf = (among = instructions): Record<string, string> =>
  Object.fromEntries(
    said('ENV', among).flatMap((text) =>
      [...text.matchAll(/([A-Z_]+)=(\S+)/g)].map((one) => one.slice(1)),
    ),
  );
