import { alertAdmins } from '../../mail/alerts.ts';
import { postingNotice } from '../../mail/notify.ts';
import { canSendMail } from '../../mail/post.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy, type Someone } from '../../store/actor.ts';
import { dateActor } from '../../store/ends.ts';
import { findGroup } from '../../store/groups.ts';
import { areMailsBehind } from '../../store/mails.ts';
import { readSettings } from '../../store/settings.ts';
import * as store from '../../store/unused.ts';
import { refuseAdmin } from '../refusal.ts';

const day = 24 * 3600_000;
/** How many people are warned in one transaction. */
const atOnce = 50;
/** How many accounts a plan names. */
const mostShown = 200;
/** Admins are told again of a rule that waits for them after this many milliseconds. */
const alertLife = 7 * day;

/** Why the rule warns nobody: it is off, a group it excepts is unknown, or there are too many. */
type Held = 'off' | 'group' | 'share';

export type UnusedPlan = {
  /** Days without use after which an account is disabled, and for how many its person is warned. */
  days: number;
  noticeDays: number;
  /** Since when the rule is on. */
  since: Date | null;
  /** How many accounts can sign in, admins aside; were warned; and are unused and not warned yet. */
  people: number;
  warned: number;
  unused: number;
  /** How many accounts may be warned at once without a person. */
  most: number;
  held: Held | null;
  /** Excepted groups that do not exist. */
  unknownGroups: readonly string[];
  users: readonly store.UnusedUser[];
};

type Rule = Pick<UnusedPlan, 'days' | 'noticeDays' | 'unknownGroups'> & {
  share: number;
  unused: store.Unused;
};

/** @param asked days, instead of those of the setting. Null: the rule is off. */
async function readRule(now: Date, asked?: number): Promise<Rule | null> {
  const settings = await readSettings();
  const days = asked ?? settings.unusedDays;
  if (days === 0) return null;
  const noticeDays = Math.min(settings.unusedNoticeDays, Math.floor(days / 2));
  const found = await Promise.all(settings.unusedExceptGroups.map((name) => findGroup(name)));
  const exempt = found.flatMap((group) => (group && group !== 'several' ? [group.id] : []));
  const unknownGroups = settings.unusedExceptGroups.filter(
    (_, at) => !found[at] || found[at] === 'several',
  );
  const before = new Date(+now - (days - noticeDays) * day);
  return {
    days,
    noticeDays,
    unknownGroups,
    share: settings.unusedShare,
    unused: { before, exempt },
  };
}

/**
 * Whom the rule for unused accounts would warn and then disable, and whom it has warned.
 * @param asked days without use, to see what another setting would do
 */
export async function planUnused(now: Date, asked?: number): Promise<UnusedPlan> {
  const [rule, since] = await Promise.all([readRule(now, asked), store.ruleOnSince()]);
  if (!rule) return { ...nothing, since };
  const users = await store.listUnused(rule.unused, mostShown);
  return { ...(await weigh(rule)), since, users };
}

const nothing = {
  days: 0,
  noticeDays: 0,
  people: 0,
  warned: 0,
  unused: 0,
  most: 0,
  held: 'off' as const,
  unknownGroups: [],
  users: [],
};

async function weigh({ share, unused: rule, ...terms }: Rule) {
  const counted = await store.countUnused(rule);
  const most = Math.max(1, Math.floor((counted.people * share) / 100));
  const isMuch = counted.unused > 0 && counted.warned + counted.unused > most;
  const held: Held | null = terms.unknownGroups.length > 0 ? 'group' : isMuch ? 'share' : null;
  return { ...terms, ...counted, most, held };
}

/**
 * Applies the rule: whoever has not used their account is warned and gets an end; whoever the rule
 * no longer concerns loses it. If a larger share is unused than may be disabled at once, nobody new
 * is warned, and admins are told. Nothing counts as unused from before the rule was set.
 */
export async function applyUnusedRule(now: Date): Promise<void> {
  const rule = await readRule(now);
  await store.spareOthers(rule?.unused ?? null);
  if (!rule) return store.forgetRule();
  if ((await store.ruleSince(now)) >= rule.unused.before) return;
  const { held, unused: count, most, days } = await weigh(rule);
  if (!held) return warnAll(rule, dateActor, now).then(() => {});
  const values = { count, days, most };
  await alertAdmins({ kind: 'unused-held', about: [held], values }, now, alertLife);
}

/**
 * Warns everyone whom the rule concerns now, whatever their share.
 * @param expected how many the plan said are not warned yet
 * @returns how many were warned
 * @throws AdminRefusal if there are more by now, or the rule is off
 */
export async function warnUnused(expected: number, actor: Actor, now: Date): Promise<number> {
  const rule = await readRule(now);
  if (!rule) return refuseAdmin(null, sentence('refused.unused.off'), 'conflict');
  const { unused, unknownGroups } = await weigh(rule);
  if (unknownGroups[0] !== undefined)
    refuseAdmin(null, sentence('refused.unused.group', { name: unknownGroups[0] }), 'conflict');
  if (unused > expected)
    refuseAdmin(
      'expected',
      sentence('refused.unused.more', { count: unused, expected: String(expected) }),
      'conflict',
    );
  return warnAll(rule, actor, now);
}

async function warnAll(rule: Rule, by: Someone, now: Date): Promise<number> {
  const endsAt = new Date(+now + rule.noticeDays * day);
  let warned = 0;
  // The mails go out at their own pace; the next round warns the others.
  while (!(canSendMail() && (await areMailsBehind()))) {
    const users = await store.listUnused(rule.unused, atOnce, 'not-warned');
    if (users.length === 0 || !(await warn(rule, users, { by, endsAt, now }))) break;
    warned += users.length;
  }
  return warned;
}

type Warning = { by: Someone; endsAt: Date; now: Date };

async function warn(
  rule: Rule,
  users: readonly store.UnusedUser[],
  { by, endsAt, now }: Warning,
): Promise<boolean> {
  const ids = users.map(({ id }) => id);
  const values = { what: 'unused', name: '', due: endsAt.toISOString() } as const;
  const letters = await Promise.all(ids.map((id) => postingNotice(id, 'ends-soon', values, now)));
  const detail = { endsAt: { before: null, after: endsAt }, reason: 'unused' };
  const events = ids.map((userId) => eventBy(by, 'user.end-changed', { userId, detail }));
  const along = { events, letters: letters.flat() };
  return store.warnUnused(rule.unused, { ids, endsAt }, along, now);
}
