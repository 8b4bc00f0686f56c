import { brandPictures } from '../brand.ts';
import { newClient } from '../oauth/client.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { Change, Plan, What } from './planned.ts';
import type { Run } from './run.ts';
import { called } from './say.ts';
import { inFile } from './schema.ts';

/** What was done, read from the events that the apply writes to the audit log. */
export function planOf(run: Run, events: readonly AuditEntry[]): Plan {
  const changes = new Map<string, Change>();
  for (const event of events) {
    const kind = kindOf(event);
    const name = nameOf(event, kind);
    const change = changes.get(`${kind} ${name}`) ?? blank(kind, name, run);
    changes.set(`${kind} ${name}`, change);
    note(change, event, run);
    change.loosens = run.loosened.has(`${kind} ${name}`);
  }
  const { taken, letGo, notes } = run;
  const all = [...changes.values()];
  const removes = all.flatMap((change) => removedBy(change, run));
  return { changes: all, takesOver: taken, letsGo: letGo, removes, notes };
}

function removedBy(change: Change, run: Run): string[] {
  const { action, kind, name, changes } = change;
  const isDropped = kind !== 'invitation' && run.dropped(kind).includes(name);
  const isDefault = isDropped && (kind === 'setting' || kind === 'branding');
  if (action === 'remove' || isDefault) return [called(change)];
  if (kind !== 'api') return [];
  const scopes = changes.find(({ what }) => what === 'scopes');
  const [before, after] = [scopes?.from, scopes?.to].map((list) => String(list ?? '').split(' '));
  return (before ?? [])
    .filter((scope) => scope !== '' && !after?.includes(scope))
    .map((scope) => `scope ${scope} of ${called(change)}`);
}

const blank = (kind: What, name: string, run: Run): Change => ({
  action: 'change',
  ...run.thing(kind, name),
  changes: [],
  ends: null,
  loosens: false,
});

const kindOf = ({ type }: AuditEntry) => type.split('.')[0] as What;

type Detail = Record<string, unknown>;

function nameOf({ clientId, detail = {} }: AuditEntry, kind: What): string {
  if (kind === 'client') return clientId ?? '';
  if (kind === 'branding') return '';
  if (kind === 'invitation') return String(detail.email);
  if (kind === 'api') return String(detail.identifier);
  if (kind === 'provider') return String(detail.slug);
  return String(detail.name);
}

function note(change: Change, event: AuditEntry, run: Run): void {
  const { type, detail = {} } = event;
  const verb = type.split('.')[1] ?? '';
  if (verb === 'created') {
    change.action = 'create';
    change.changes.push(...factsOf(change.kind, detail));
  } else if (verb === 'deleted' || type === 'terms.ended') {
    change.action = 'remove';
    change.ends = endsWith(change.kind, detail);
  } else {
    change.changes.push(...differencesOf(event, verb, run));
  }
}

/** What to say about something new: only what differs from the default. */
function factsOf(kind: What, detail: Detail): Change['changes'] {
  const usual = kind === 'client' ? (newClient as Detail) : {};
  return Object.entries(detail).flatMap(([what, to]) => {
    const isUsual = JSON.stringify(to) === JSON.stringify(usual[what]);
    const isNone = to === null || to === false || to === '' || JSON.stringify(to) === '[]';
    const isName =
      what === 'id' || what === 'slug' || (what === 'name' && kind !== 'client' && kind !== 'api');
    return isUsual || isNone || isName || what === 'identifier' || what === 'email'
      ? []
      : [{ what: inFile(what), from: null, to }];
  });
}

function differencesOf(event: AuditEntry, verb: string, run: Run): Change['changes'] {
  const { type, detail = {}, clientId, userId } = event;
  const listed = (what: string, name: unknown) =>
    verb.endsWith('disallowed') || verb.endsWith('removed')
      ? [{ what, from: name, to: null }]
      : [{ what, from: null, to: name }];
  if (type === 'setting.changed') return [{ what: '', from: detail.before, to: detail.after }];
  if (type === 'client.secret-rotated')
    return [{ what: 'secret', from: null, to: 'as the file says' }];
  if (type === 'client.user-end-changed') {
    const name = run.people.get(userId ?? '') ?? userId;
    return [{ what: `allowed_user_ends: ${name}`, from: null, to: endOf(detail) }];
  }
  if (verb.startsWith('group-')) return listed('allowed_groups', detail.name);
  if (verb.startsWith('user-'))
    return listed('allowed_users', run.people.get(userId ?? '') ?? userId);
  if (verb.startsWith('client-'))
    return listed(detail.kind === 'asks' ? 'asked_by' : 'served_by', run.appCalled(clientId ?? ''));
  return Object.entries(detail).flatMap(([what, change]) => {
    if (what === 'logo' || what in brandPictures)
      return [{ what, from: null, to: change === null ? 'none' : 'another picture' }];
    const { before, after } = (change ?? {}) as { before?: unknown; after?: unknown };
    const differs = typeof change === 'object' && change !== null && 'after' in change;
    return differs || before !== undefined ? [{ what: inFile(what), from: before, to: after }] : [];
  });
}

const endOf = ({ endsAt }: Detail) => (endsAt instanceof Date ? endsAt.toISOString() : 'never');

const many = (count: unknown, one: string, several: string) =>
  `${Number(count).toLocaleString('en')} ${Number(count) === 1 ? one : several}`;

function endsWith(kind: What, detail: Detail): string | null {
  const counts = Object.values(detail).filter((value) => typeof value === 'number');
  if (!counts.some((count) => count > 0)) return null;
  if (kind === 'client' || kind === 'api')
    return `${many(detail.signIns, 'sign-in ends', 'sign-ins end')}, and what ${many(detail.people, 'person has', 'people have')} allowed is forgotten`;
  if (kind === 'scope')
    return `taken from ${many(detail.clients, 'app', 'apps')} and from what ${many(detail.grants, 'person has', 'people have')} allowed; codes and tokens with it end`;
  if (kind === 'group')
    return `${many(detail.members, 'member', 'members')} and ${many(detail.apps, 'app', 'apps')} lose it`;
  if (kind === 'provider')
    return `${many(detail.people, 'person loses', 'people lose')} this way to sign in`;
  if (kind === 'field') return `${many(detail.people, 'person loses', 'people lose')} their value`;
  return null;
}
