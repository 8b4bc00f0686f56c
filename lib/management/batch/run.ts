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
import { standingOf } from './standing.ts';

/** A piece of a batch ends after so many milliseconds, or so many of it. */
const pieceTime = 2000;
const pieceLength = 100;
/** How long what writes to many waits for those letters, in milliseconds. */
const mailPause = 3000;
/** The longest rest after one of a batch, in milliseconds: others write meanwhile. */
const longestRest = 50;

const asText = (said: Sentence) => JSON.stringify(said);

/** What is done to many: a piece of a batch at a time, by whichever process is there. */
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
 * Does one of a batch, as its act does it by itself; what is done and that it is done are one
 * transaction. `stop`: whoever asked for it may do so no more.
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

/** The sign-in was fresh when it was asked for; rights are asked for again. @throws NotAllowed */
async function byOf({ madeBy, address, requestId }: Batch, noun: ApiNoun): Promise<By> {
  const now = new Date();
  const { role, rights } = await standingOf(madeBy, now);
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

/** Next.js bundles the classes of errors once per module graph, so they are recognised by name. */
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** The sentence that was kept as JSON; null: there is none. */
export const keptSentence = (kept: string | null): Sentence | null =>
  kept === null ? null : JSON.parse(kept);

/** The same in English, for the API and the command line. */
export function inEnglish(kept: string | null): string | null {
  const said = keptSentence(kept);
  return said && sentenceIn(defaultLocale, said);
}
