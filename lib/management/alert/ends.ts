import { alertAdmins, lastTold } from '../../mail/alerts.ts';
import { postingNotice } from '../../mail/notify.ts';
import { canSendMail } from '../../mail/post.ts';
import { contactsOf } from '../../store/contacts.ts';
import {
  type EndAhead,
  endsToldSince,
  keysEnding,
  noteTold,
  untoldEnds,
} from '../../store/ends-ahead.ts';
import type { Statement } from '../../store/engine/statement.ts';
import { areMailsBehind } from '../../store/mails.ts';

const day = 24 * 3600_000;
/** How long before an end the mails about it are sent, in milliseconds. */
const noticeBefore = 7 * day;
/** How many ends are told of in one transaction. */
const atOnce = 50;
/** The most names in one mail. */
const mostNamed = 50;

/**
 * Mails people that their account, a membership or a place on the list of an app ends within a
 * week, or at once if it was given for less. Contacts of the app and, once a day, admins are told as
 * well.
 */
export async function tellOfEnds(now: Date): Promise<void> {
  if (!canSendMail()) return;
  const until = new Date(+now + noticeBefore);
  while (!(await areMailsBehind())) {
    const ends = await untoldEnds(until, now, atOnce);
    // If another process or a new date came first, the next round looks again.
    if (ends.length === 0 || !(await noteTold(ends, await lettersOf(ends, now), now))) break;
  }
  await tellAdmins(until, now);
}

async function lettersOf(ends: readonly EndAhead[], now: Date): Promise<Statement[]> {
  const toPeople = ends.map(({ userId, what, name, reason, endsAt }) => {
    const values = { what: reason ?? what, name: name ?? '', due: endsAt.toISOString() };
    return postingNotice(userId, 'ends-soon', values, now);
  });
  const places = ends.flatMap((one) => (one.what === 'app' && one.id ? [one.id] : []));
  const toContacts = [...new Set(places)].map((app) =>
    lettersToContacts(
      app,
      ends.filter(({ id }) => id === app),
      now,
    ),
  );
  return (await Promise.all([...toPeople, ...toContacts])).flat();
}

/** @param ends of the app, the earliest first. A contact is not told of their own place again. */
async function lettersToContacts(
  clientId: string,
  ends: readonly EndAhead[],
  now: Date,
): Promise<Statement[]> {
  const contacts = (await contactsOf(clientId)).filter(({ disabled }) => !disabled);
  const letters = contacts.map(({ userId }) => {
    const [first, ...others] = ends.filter((one) => one.userId !== userId);
    if (!first) return [];
    const people = named([first, ...others].map(({ username }) => username));
    const values = { app: first.name ?? '', people, due: first.endsAt.toISOString() };
    return postingNotice(userId, 'places-ending', values, now);
  });
  return (await Promise.all(letters)).flat();
}

const named = (names: readonly string[]) =>
  [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ['…'] : [])].join(', ');

/** Mails admins once a day what people were told of, and which API keys end, since the last mail. */
async function tellAdmins(until: Date, now: Date): Promise<void> {
  const last = await lastTold('ends-ahead', 'all');
  if (last && +now - +last < day) return;
  const since = last ?? new Date(+now - noticeBefore);
  const [ends, keys] = await Promise.all([
    endsToldSince(since, until, now, mostNamed + 1),
    keysEnding(new Date(Math.max(+now, +since + noticeBefore)), until, mostNamed),
  ]);
  const lines = [...ends.map(lineOf), ...keys.map((name) => `API: ${name}`)];
  if (lines.length === 0) return;
  await alertAdmins({ kind: 'ends-ahead', about: ['all'], values: { names: named(lines) } }, now);
}

const lineOf = ({ what, username, name }: EndAhead): string =>
  what === 'account' ? username : `${username} → ${name}`;
