import { setTimeout as pause } from 'node:timers/promises';
import { defaultLocale } from '../../messages/locales.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { sentenceIn } from '../../messages/text.ts';
import { queue } from '../../queue.ts';
import {
  type Batch,
  type BatchItem,
  endBatch,
  findBatch,
  noteAlready,
  noteRefused,
  takeItem,
  takeTurns,
  type WaitingBatch,
  waitingBatches,
  waitingItems,
} from '../../store/batches.ts';
import { isDatabaseAway } from '../../store/engine/away.ts';
import { inOneTransaction } from '../../store/engine/database.ts';
import { areMailsBehind } from '../../store/mails.ts';
import { log } from '../../telemetry/log.ts';
import { actingFreely, type By, NotAllowed, perform } from '../act.ts';
import { type ApiNoun, holdsRight } from '../api-key/rights.ts';
import { isAdminRefusal } from '../is-refusal.ts';
import { AdminRefusal } from '../refusal.ts';
import { operationNamed } from './operations.ts';
import { presentRightsOf } from './present-rights.ts';

/** A piece of a batch ends after this many milliseconds or items. */
const pieceTime = 2000;
const pieceLength = 100;
/** Milliseconds that a batch of mails waits while too many mails are queued. */
const mailPause = 3000;
/** The longest pause after each item, in milliseconds, so that others can write. */
const longestRest = 50;

const asText = (said: Sentence) => JSON.stringify(said);

/** Works through batches, one piece at a time, in whichever process is free. */
export const batches = queue<WaitingBatch>({
  name: 'a batch',
  table: waitingBatches(asText(sentence('refused.batch.failed'))),
  lease: 30_000,
  attempt: workOnPiece,
  about: ({ id }) => ({ batch: id }),
});

async function workOnPiece(waiting: WaitingBatch, now: Date): Promise<'kept'> {
  const batch = await findBatch(waiting.id);
  if (!batch || batch.finishedAt) return 'kept';
  if (operationNamed(batch.operation)?.mails && (await areMailsBehind())) {
    await takeTurns(waiting, new Date(now.getTime() + mailPause));
    return 'kept';
  }
  const until = Date.now() + pieceTime;
  const items = await waitingItems(batch.id, pieceLength);
  for (const item of items) {
    if (Date.now() > until) break;
    const began = performance.now();
    if ((await doOne(batch, item)) === 'stop') return end(batch, sentence('refused.batch.ended'));
    await pause(Math.min(performance.now() - began, longestRest));
  }
  if (items.length === 0) return end(batch, null);
  await takeTurns(waiting, now);
  return 'kept';
}

async function end({ id }: Batch, why: Sentence | null): Promise<'kept'> {
  await endBatch(id, why && asText(why), new Date());
  return 'kept';
}

/**
 * Does one item, through the same act as for a single one. The change and the note that it is done
 * are one transaction. `stop`: the user or program that started the batch may no longer do this.
 */
async function doOne(batch: Batch, item: BatchItem): Promise<'next' | 'stop'> {
  try {
    await inOneTransaction(async (told) => {
      if (!(await takeItem(batch.id, item.position))) return { keep: false, value: null };
      await act(batch, item);
      if (told().length === 0) await noteAlready(batch.id, item.position);
      return { keep: true, value: null };
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (isNamed(error, NotAllowed.name)) return 'stop';
    await noteRefused(batch.id, item.position, asText(reasonOf(error, batch)));
  }
  return 'next';
}

async function act(batch: Batch, item: BatchItem): Promise<void> {
  const operation = operationNamed(batch.operation);
  if (!operation) throw new Error(`There is no operation ${batch.operation}.`);
  const by = await byOf(batch, operation.noun);
  if (operation.ends && item.subject === by.actor.id)
    throw new AdminRefusal(null, sentence('refused.batch.self'));
  await perform(operation.act, operation.said(item, batch.given), by);
}

/**
 * The sign-in was fresh when the batch was started, but the rights are checked again.
 * @throws NotAllowed
 */
async function byOf({ madeBy, address, requestId }: Batch, noun: ApiNoun): Promise<By> {
  const now = new Date();
  const { role, rights } = await presentRightsOf(madeBy, now);
  const demandRight = (besides = noun) => {
    if (rights && !holdsRight(rights, besides, 'loosen'))
      throw new NotAllowed(`The right ${besides}:loosen is gone.`);
  };
  demandRight();
  return {
    ...actingFreely(role, { id: madeBy, address, requestId }, now),
    demandFresh: demandRight,
  };
}

function reasonOf(error: unknown, { id }: Batch): Sentence {
  if (isAdminRefusal(error)) return error.said;
  log().error({ err: error, batch: id }, 'one of a batch failed');
  return sentence('refused.batch.error');
}

/** Next.js bundles error classes once per module graph, so errors are recognised by name. */
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** The sentence that was stored as JSON; null if there is none. */
export const keptSentence = (kept: string | null): Sentence | null =>
  kept === null ? null : JSON.parse(kept);

/** The same in English, for the API and the command line. */
export function inEnglish(kept: string | null): string | null {
  const said = keptSentence(kept);
  return said && sentenceIn(defaultLocale, said);
}
