import { type Command, Option } from 'commander';
import { clientManagement, managedFields } from '../management/client/client-fields.ts';
import type { ClientChange } from '../management/client/clients.ts';
import { type ClientField, clientFields, type FieldKind } from '../oauth/client.ts';
import {
  collect,
  readJsonObjects,
  readPairsOption,
  readSeconds,
  readSwitch,
  readSwitchOrDefault,
} from './options.ts';

/**
 * The options of `client create` and `client update`, as typed: those of the fields, and the ones
 * below.
 */
export type ClientOptions = Record<string, unknown> & {
  logo?: string;
  contact?: string[];
  owner?: string;
  public?: boolean;
  confidential?: boolean;
  allowInsecureRedirectUri?: boolean;
};

export const [nameOption] = clientManagement.name.options;

/** Options that are not fields, listed under the field they follow. */
const furtherOptions: Partial<Record<ClientField, [flags: string, says: string][]>> = {
  homePage: [['--logo <file>', 'its logo, a PNG, JPEG, WebP or GIF file']],
  redirectUris: [
    ['--allow-insecure-redirect-uri', 'accept plain http addresses outside this device'],
  ],
};

/** Adds the options of every field except the name, which only `create` requires. */
export function addClientOptions(command: Command): Command {
  for (const field of managedFields.filter((each) => each !== 'name')) {
    for (const [flags, says] of clientManagement[field].options)
      command.addOption(optionOf(field, flags, says));
    for (const [flags, says] of furtherOptions[field] ?? []) command.option(flags, says);
  }
  command.option(
    '--contact <user>',
    'a developer of it, who sees its sign-in attempts and how to connect it: username, email address or id (repeatable)',
    collect,
  );
  command.option(
    '--owner <user>',
    'the person responsible for an agent: username, email address or id',
  );
  return command;
}

function optionOf(field: ClientField, flags: string, says: string): Option {
  const option = new Option(flags, says);
  const { kind } = clientFields[field];
  return ['words', 'addresses', 'pairs', 'federations'].includes(kind)
    ? option.argParser(collect)
    : option;
}

type Given = string | boolean | undefined;

/** How to read the value of an option, by the kind of its field. */
const reading: { [Kind in FieldKind]?: (option: string, given: Given) => unknown } = {
  wordsOrServer: (_, given) => (given === undefined ? undefined : readWords(String(given))),
  switch: readSwitch,
  switchOrServer: readSwitchOrDefault,
  secondsOrServer: (option, given) => readSeconds(option, given as string | undefined),
  secondsOrNone: (option, given) => readSeconds(option, given as string | undefined),
  pairs: readPairsOption,
  federations: readJsonObjects,
};

/** The changes that the options ask for; options left out are undefined. */
export function readClientOptions(options: ClientOptions): ClientChange {
  const given = managedFields.map((field) => [field, readField(field, options)]);
  return {
    ...Object.fromEntries(given),
    type: options.public ? 'public' : options.confidential ? 'confidential' : undefined,
    allowInsecureRedirectUri: options.allowInsecureRedirectUri,
  };
}

function readField(field: ClientField, options: ClientOptions): unknown {
  const [[flags]] = clientManagement[field].options;
  const option = new Option(flags);
  const given = options[option.attributeName()] as Given;
  const read = reading[clientFields[field].kind];
  return read ? read(option.name(), given) : given;
}

function readWords(text: string): string[] | null {
  const names = text.split(/\s+/).filter(Boolean);
  return names.length > 0 ? names : null;
}
