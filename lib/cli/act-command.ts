import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { Act } from '../management/act.ts';
import { actingBy, performHere } from './acting.ts';
import { collect, readLimit, readSwitch } from './options.ts';
import { facts, factsOf } from './text.ts';

/** Its term, its description, and the value the act takes for the typed text (`finding`). */
export type Place = readonly [
  term: string,
  says: string,
  find?: (typed: string) => Promise<string>,
];

/**
 * An option that differs from what its shape would make it; `read` turns the typed text, or a list
 * of texts, into what the act takes.
 */
type Flag = {
  flag?: string;
  says?: string;
  read?: Read;
  /** The command requires it, although the act can do without. */
  isNeeded?: boolean;
};
type Read = (given: never) => unknown;

type Written<Tells extends z.ZodType> = {
  /** The fields that are arguments, in order. */
  places?: Readonly<Record<string, Place>>;
  /** In the order of the help; options made from their shape alone come after these. */
  flags?: Readonly<Record<string, Flag>>;
  /** The text that people read; what the act tells, unless set. */
  text?: (told: z.output<Tells>) => string;
  /** The answer contains addresses of this server. */
  leads?: boolean;
};

/** Makes a command of an act; its options are the fields that the act takes. */
export function addAct<Takes extends z.ZodObject, Tells extends z.ZodObject>(
  command: Command,
  definition: Act<Takes, Tells>,
  { places = {}, flags = {}, text = toldText, leads }: Written<Tells>,
): Command {
  const { shape } = definition.takes;
  const names = new Set([...Object.keys(flags), ...Object.keys(shape)]);
  const inPlace = Object.entries(places);
  for (const [name] of inPlace) names.delete(name);
  const options = [...names].map((name) => toOption(name, shape[name] as z.ZodType, flags[name]));
  command.description(definition.says);
  for (const [, [term, says]] of inPlace) command.argument(term, says);
  for (const { option } of options) command.addOption(option);
  return command.action(
    actingBy(async (...given: unknown[]) => {
      const typed = given[inPlace.length] as Record<string, never>;
      const said: Record<string, unknown> = {};
      for (const [at, [name, [, , find]]] of inPlace.entries())
        said[name] = find ? await find(given[at] as string) : given[at];
      for (const { name, option, read } of options) {
        const value = typed[option.attributeName()];
        if (value !== undefined) said[name] = await read(value);
      }
      const told = await performHere(definition, said as z.input<Takes>);
      return { json: told, text: text(told), leads };
    }),
  );
}

const toldText = (told: Record<string, unknown>) => facts(factsOf(told));

function toOption(name: string, shape: z.ZodType, { flag, says, read, isNeeded }: Flag = {}) {
  const dashed = `--${name.replaceAll('_', '-')}`;
  const kind = name === 'limit' || name === 'cursor' ? name : kindOf(shape);
  const usual = usually[kind];
  const option = new Option(flag ?? `${dashed} ${usual.takes}`, says ?? descriptionOf(shape));
  option.makeOptionMandatory(isNeeded || !shape.isOptional());
  if (kind === 'list') option.argParser(collect);
  const readUsual: Read = (given) => usual.read(given, dashed.slice(2));
  return { name, option, read: read ?? readUsual };
}

type Kind = 'text' | 'list' | 'switch' | 'limit' | 'cursor';

const usually: Record<Kind, { takes: string; read: (given: string, option: string) => unknown }> = {
  text: { takes: '<text>', read: (given) => given },
  list: { takes: '<text>', read: (given) => given },
  switch: { takes: '[on|off]', read: (given, option) => readSwitch(option, given) },
  limit: { takes: '<n>', read: readLimit },
  cursor: { takes: '<cursor>', read: (given) => given },
};

function kindOf(shape: z.ZodType): Kind {
  const { type, innerType, options } = defOf(shape);
  if (innerType) return kindOf(innerType);
  const types = [type, ...(options ?? []).map((option) => defOf(option).type)];
  if (types.includes('array') || types.includes('record')) return 'list';
  return types.includes('boolean') ? 'switch' : 'text';
}

function descriptionOf(shape: z.ZodType): string {
  const { innerType } = defOf(shape);
  return shape.description ?? (innerType ? descriptionOf(innerType) : '');
}

type Def = { type: string; innerType?: z.ZodType; options?: z.ZodType[] };
const defOf = (shape: z.ZodType) => shape._zod.def as Def;
