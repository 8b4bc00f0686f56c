import type { Command } from 'commander';
import type { z } from 'zod';
import { providerKinds } from '../identity/upstream/provider-kinds.ts';
import { providerActs } from '../management/provider/acts.ts';
import { NotText, readTextFile, readTextInput } from '../settings/text-file.ts';
import { addAct } from './act-command.ts';
import { finding } from './acting.ts';
import { fileNamed } from './called-from.ts';
import { idOfGroup } from './people-filter.ts';
import { refuseCommand } from './refuse.ts';
import { type Fact, facts, table } from './text.ts';

const idOfProvider = finding('provider', async (key) =>
  (await import('../management/provider/providers.ts')).providerCalled(key),
);
const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const which = ['<provider>', 'its name in the redirect URI, or its id', idOfProvider] as const;
const changing = {
  secret: {
    flag: '--secret-file <file>',
    says: 'the file with its client secret, or Apple’s private key; - reads it from standard input, and an empty name takes it away',
    read: readSecret,
  },
  groups: {
    flag: '--group-for <value=group>',
    says: 'people with this value in the claim join this group; may be repeated, and "" is none',
    read: readGroups,
  },
  scopes: {
    flag: '--scope <scope>',
    says: 'a scope to ask for, instead of those its kind needs; repeatable',
  },
  domains: { flag: '--domain <domain>', says: 'only people of this domain; may be repeated' },
};

export function addProviderCommands(program: Command): void {
  const provider = program
    .command('provider')
    .description('sign-in with Google, Microsoft, GitHub and others');
  addAct(provider.command('list'), providerActs.list, {
    text({ providers }) {
      const rows = providers.map((row) => [
        row.slug,
        row.name,
        row.kind,
        row.issuer,
        row.enabled,
        row.people,
        row.used_in_30_days,
      ]);
      const head = ['provider', 'name', 'kind', 'issuer', 'enabled', 'people', 'in 30 days'];
      return table(head, rows, 'No providers.');
    },
  });
  addAct(provider.command('show'), providerActs.show, { places: { id: which }, text: textOf });
  addAct(provider.command('create'), providerActs.create, {
    places: { kind: ['<kind>', anyOf.format(providerKinds)] },
    flags: changing,
    text: textOf,
    leads: true,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- provider create google --client-id 123.apps.googleusercontent.com --secret-file secret.txt',
  );
  addAct(provider.command('update'), providerActs.update, {
    places: { id: which },
    flags: changing,
    text: textOf,
  });
  addAct(provider.command('enable'), providerActs.enable, { places: { id: which }, text: textOf });
  addAct(provider.command('disable'), providerActs.disable, {
    places: { id: which },
    text: textOf,
  });
  addAct(provider.command('delete'), providerActs.delete, {
    places: { id: which },
    text: ({ name, people, locked_out }) =>
      `Deleted ${name}, which ${people} people had linked; ${locked_out} of them have no way in until they reset their password.`,
  });
}

/** @throws CommandRefused */
function readSecret(file: string): string | null {
  if (file === '') return null;
  try {
    return (file === '-' ? readTextInput() : readTextFile(fileNamed(file))).trim();
  } catch (error) {
    if (error instanceof NotText) throw error;
    return refuseCommand(
      `The file "${file}" cannot be read; --secret-file takes one with a secret.`,
    );
  }
}

/** `VALUE=GROUP`, repeated. @throws CommandRefused */
async function readGroups(given: readonly string[]) {
  const mapped = [];
  for (const each of given.filter((text) => text !== '')) {
    const at = each.indexOf('=');
    if (at < 1)
      refuseCommand(`--group-for takes a value and a group, such as staff=editors, not "${each}".`);
    mapped.push({ value: each.slice(0, at).trim(), group_id: await idOfGroup(each.slice(at + 1)) });
  }
  return mapped;
}

type Told = z.output<typeof providerActs.show.tells>;

/** The text about a provider, one line for each fact. */
function textOf({ groups, scopes, domains, ...told }: Told): string {
  const lists: Fact[] = [
    ['scopes', scopes.join(' ')],
    ['domains', domains.join(' ')],
    ['groups', groups.map(({ value, name }) => `${value}=${name}`).join(', ')],
  ];
  return facts([...Object.entries(told), ...lists.filter(([, text]) => text !== '')]);
}
