import { config } from '../config.ts';
import { queue } from '../queue.ts';
import type { Statement } from '../store/engine/statement.ts';
import {
  keepInOutbox,
  storeMail,
  storingMail,
  type WaitingMail,
  waitingMails,
} from '../store/mails.ts';
import { log } from '../telemetry/log.ts';
import { compose } from './compose.ts';
import { type Letter, letterLifetime, type Sheet, sealedLetter, sealedSheet } from './letter.ts';
import { isForGood, send } from './transport.ts';
import { subjectLineOf, writeText } from './write.ts';

const minute = 60_000;
const shownFor = 24 * 60 * minute;

/** Through a mail server or, in development, to the terminal and outbox. */
export function canSendMail(): boolean {
  return config().mail.url !== null || !config().production;
}

/** Sends it after the response. Without a transport, pages don't offer what needs it. */
export async function post(letter: Letter, now: Date): Promise<void> {
  if (!canSendMail()) return;
  const stored = await storeMail(
    await sealedLetter.seal(letter),
    new Date(now.getTime() + letterLifetime(letter)),
    now,
  );
  if (stored === 'full')
    log().error({ kind: letter.kind }, 'the mail queue is full: a mail is not written');
  mails.soon();
}

/**
 * The statements that queue a letter, for the transaction that makes the change it reports; none if
 * mail can't be delivered.
 */
export async function posting(letter: Letter, now: Date): Promise<Statement[]> {
  if (!canSendMail()) return [];
  const expiresAt = new Date(now.getTime() + letterLifetime(letter));
  const statement = storingMail(await sealedLetter.seal(letter), expiresAt, now);
  return [{ ...statement, whenDone: () => mails.soon() }];
}

export const mails = queue({
  name: 'a mail',
  table: waitingMails,
  lease: 3 * minute,
  attempt: sendOne,
  isForGood,
  about: ({ id }) => ({ mail: id }),
});

async function sendOne(mail: WaitingMail, now: Date): Promise<'done' | 'kept'> {
  const letter = await sealedLetter.open(mail.sealed);
  if (!letter)
    log().error(
      { mail: mail.id },
      'a waiting mail cannot be opened: the server secret has changed',
    );
  const sheet = letter && (await compose(letter, mail.attempts > 1, now));
  if (!sheet) return 'done';
  const { url } = config().mail;
  if (url === null) {
    await show(mail.id, sheet, now);
    return 'kept';
  }
  await send(url, mail.id, sheet);
  return 'done';
}

/**
 * Without a mail server, prints the mail to the developer's terminal and keeps it for the outbox.
 */
async function show(id: string, sheet: Sheet, now: Date): Promise<void> {
  process.stdout.write(
    `\n--- Mail to ${sheet.to}: ${subjectLineOf(sheet)}\n\n${writeText(sheet)}--- (also at ${config().issuer}/admin/outbox)\n\n`,
  );
  await keepInOutbox(id, await sealedSheet.seal(sheet), new Date(now.getTime() + shownFor), now);
}
