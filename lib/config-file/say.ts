import type { Change, Plan, Thing } from './planned.ts';

const words: Record<Change['kind'], string> = {
  setting: 'setting',
  scope: 'scope',
  group: 'group',
  field: 'field',
  client: 'app',
  api: 'API',
  provider: 'provider',
  branding: 'branding',
  terms: 'terms of use',
  invitation: 'invitation',
};

const signs = { create: '+', change: '~', remove: '-' } as const;

export function sayPlan(plan: Plan): string {
  const { changes, takesOver, letsGo, notes } = plan;
  const lists = [
    ...takesOver.map((thing) => `= ${called(thing)}: made by hand, kept in the file from now on`),
    ...letsGo.map((thing) => `= ${called(thing)}: no longer kept in the file, stays as it is`),
    ...notes.map((text) => `! ${plainLine(text)}`),
  ];
  return plain([...changes.map(sayChange), ...lists, sumOf(plan)].join('\n'));
}

/** An app by its name and id, everything else by its name. */
export const called = ({ kind, name, title }: Thing) =>
  plainLine(`${words[kind]} ${titled(name, title)}`.trim());

/** `Grafana (01a2…)`, or the id alone if it is also the name. */
export const titled = (id: string, title: string | undefined) =>
  title === undefined || title === id ? id : `${title} (${id})`;

/** How much there is to do, in one sentence. */
export function sumOf({ changes, takesOver, letsGo }: Plan): string {
  const count = (action: Change['action']) =>
    changes.filter((change) => change.action === action).length;
  const said = (['create', 'change', 'remove'] as const)
    .filter((action) => count(action) > 0)
    .map((action) => `${count(action)} to ${action}`);
  if (takesOver.length > 0) said.push(`${takesOver.length} to take over`);
  if (letsGo.length > 0) said.push(`${letsGo.length} to let go of`);
  return said.length === 0 ? 'Nothing to change.' : `${said.join(', ')}.`;
}

function sayChange(change: Change): string {
  const { action, kind, changes, ends, loosens } = change;
  const head = `${signs[action]} ${called(change)}${loosens ? ' (gives more than before)' : ''}`;
  if (action === 'remove') return ends ? `${head}: ${ends}` : head;
  const [only] = changes;
  if (kind === 'setting' && only) return `${head}: ${show(only.from)} → ${show(only.to)}`;
  const lines = changes.map(({ what, from, to }) =>
    action === 'create' || from === null
      ? `    ${what}: ${to === null ? `without ${show(from)}` : show(to)}`
      : `    ${what}: ${show(from)} → ${to === null ? 'none' : show(to)}`,
  );
  return [head, ...lines].join('\n');
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(show).join(', ');
  return plainLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Text from the file must not control a terminal. */
export const plain = (text: string) => text.replace(/[^\P{C}\n]/gu, '?');

/** The same for text that must not look like a separate line. */
export const plainLine = (text: string) =>
  text.replace(/[\r\n\p{Zl}\p{Zp}]+/gu, ' ').replace(/\p{C}/gu, '?');
