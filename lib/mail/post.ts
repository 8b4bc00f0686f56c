import { config } from '../config.ts';
import { log } from '../log.ts';
import { once } from '../once.ts';
import {
  dropMail,
  keepShown,
  postponeMail,
  storeMail,
  takeMails,
  type WaitingMail,
} from '../store/mails.ts';
import { compose } from './compose.ts';
import { type Letter, lifeOf, type Sheet, sealedLetter, sealedSheet } from './letter.ts';
import { isForGood, send } from './transport.ts';
import { subjectOf, writeText } from './write.ts';

const minute = 60_000;
/** Pauses between attempts. After the last one the mail is dropped. */
const pauses = [minute / 2, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute];
/** Longer than any attempt takes: it only runs out if the process died. */
const takenFor = 3 * minute;
const shownFor = 24 * 60 * minute;

/**
 * Whether mail can be delivered: by a mail server or, in development, to the terminal and outbox.
 */
export function canSendMail(): boolean {
  return config().mail.url !== null || !config().production;
}

/**
 * Queues a letter and starts sending it after the response. Without a transport there is no queue,
 * and pages don't offer what would need it.
 */
export async function post(letter: Letter, now: Date): Promise<void> {
  if (!canSendMail()) return;
  const stored = await storeMail(
    await sealedLetter.seal(letter),
    new Date(now.getTime() + lifeOf(letter)),
    now,
  );
  if (stored === 'full')
    log().error({ kind: letter.kind }, 'the mail queue is full: a mail is not written');
  sendMailsSoon();
}

type Sending = { waiting: boolean; running: boolean; again: boolean };

const sending = () =>
  once('mail-sending', (): Sending => ({ waiting: false, running: false, again: false }));

/**
 * This process only queues mail and leaves sending to a server, so a command can exit when it is
 * done.
 */
export function leaveMailsToServer(): void {
  sending().waiting = true;
}

/** Begins to send what waits; the pause keeps the work away from the request that caused it, whatever that is. */
export function sendMailsSoon(): void {
  const state = sending();
  if (state.running) state.again = true;
  if (state.running || state.waiting) return;
  state.waiting = true;
  setTimeout(() => void run(state), 10 + Math.random() * 150).unref();
}

async function run(state: Sending): Promise<void> {
  Object.assign(state, { waiting: false, running: true, again: false });
  try {
    await sendMails();
  } catch (error) {
    log().warn({ err: error }, 'mail could not be taken from the queue and will be tried again');
  } finally {
    state.running = false;
    if (state.again) sendMailsSoon();
  }
}

/** Sends everything that is due. Called after each queueing, and by the server's jobs for what failed or was left behind. */
export async function sendMails(): Promise<void> {
  for (;;) {
    const now = new Date();
    const mails = await takeMails(now, new Date(now.getTime() + takenFor));
    if (mails.length === 0) return;
    await Promise.all(mails.map(sendOne));
  }
}

async function sendOne(mail: WaitingMail): Promise<void> {
  const now = new Date();
  try {
    const letter = await sealedLetter.open(mail.sealed);
    const sheet = letter && (await compose(letter, mail.attempts > 1, now));
    if (!letter)
      log().error(
        { mail: mail.id },
        'a waiting mail cannot be opened: the server secret has changed',
      );
    if (!sheet) return await dropMail(mail.id);
    const { url } = config().mail;
    if (url === null) return await show(mail.id, sheet, now);
    await send(url, mail.id, sheet);
    await dropMail(mail.id);
  } catch (error) {
    await putOff(mail, error, now);
  }
}

async function putOff(mail: WaitingMail, error: unknown, now: Date): Promise<void> {
  const pause = pauses[mail.attempts - 1];
  const next = pause === undefined ? null : new Date(now.getTime() + pause);
  const line = { mail: mail.id, attempts: mail.attempts, reason: (error as Error).message };
  if (isForGood(error) || next === null || next >= mail.expiresAt) {
    log().error(line, 'a mail is given up');
    return dropMail(mail.id);
  }
  log().warn(line, 'a mail could not be sent and will be tried again');
  await postponeMail(mail.id, next);
}

/** Without a mail server: the terminal of whoever develops, and the outbox. */
async function show(id: string, sheet: Sheet, now: Date): Promise<void> {
  process.stdout.write(
    `\n--- Mail to ${sheet.to}: ${subjectOf(sheet)}\n\n${writeText(sheet)}--- (also at ${config().issuer}/admin/outbox)\n\n`,
  );
  await keepShown(id, await sealedSheet.seal(sheet), new Date(now.getTime() + shownFor), now);
}
