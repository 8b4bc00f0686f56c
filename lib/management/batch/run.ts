import { setTimeout as pause } from 'node:timers/promises';
import { config } from '../../config.ts';
import { defaultLocale } from '../../messages/locales.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { sentenceIn } from '../../messages/text.ts';
import { queue } from '../../queue.ts';
import { holdPeople } from '../../store/batch-states.ts';
import { keepState } from '../../store/batch-undo.ts';
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
import { undoItem } from './undo-item.ts';

/** A piece of a batch ends after this many milliseconds or items. */
const pieceTime = 2000;
const pieceLength = 500;
/**
 * A transaction takes at most this many items, and none after this many milliseconds. On SQLite no
 * one else can write meanwhile.
 */
const mostTogether = 50;
const longestTransaction = { sqlite: 20, postgresql: 200 };
/** Milliseconds that a batch of mails waits while too many mails are queued. */
const mailPause = 3000;
/** The longest pause after each transaction, in milliseconds, so that others can write. */
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
  for (let from = 0; from < items.length && Date.now() < until; ) {
    const began = performance.now();
    const done = await doSome(batch, items.slice(from));
    if (done === 'stop') return end(batch, sentence('refused.batch.ended'));
    from += done;
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
 * Does items from the first on, and returns how many. As many as fit into a short time are one
 * transaction. If one of these is refused, nothing is kept of it, and each is done by itself.
 * `stop`: the user or program that started the batch may no longer do this.
 */
async function doSome(batch: Batch, items: readonly BatchItem[]): Promise<number | 'stop'> {
  const tried = { count: 0 };
  try {
    await doTogether(batch, items.slice(0, mostTogether), tried);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    tried.count = Math.max(tried.count, 1);
    for (const item of items.slice(0, tried.count))
      if ((await doOne(batch, item)) === 'stop') return 'stop';
  }
  return tried.count;
}

async function doOne(batch: Batch, item: BatchItem): Promise<'next' | 'stop'> {
  try {
    await doTogether(batch, [item], { count: 0 });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (isNamed(error, NotAllowed.name)) return 'stop';
    await noteRefused(batch.id, item.position, asText(reasonOf(error, batch)));
  }
  return 'next';
}

/**
 * Does items through the same act as for a single one. The changes, and the notes that they are
 * done, are one transaction. @param tried counts the items that were begun
 */
async function doTogether(
  batch: Batch,
  items: readonly BatchItem[],
  tried: { count: number },
): Promise<void> {
  await inOneTransaction(async (told) => {
    const until = performance.now() + longestTransaction[config().database];
    const by = await byOf(batch);
    await holdPeople(items.map(({ subject }) => subject));
    tried.count = 0;
    for (const item of items) {
      if (tried.count > 0 && performance.now() > until) break;
      tried.count += 1;
      if (await takeItem(batch.id, item.position)) await doTaken(batch, item, by, told);
    }
    return { keep: true, value: null };
  });
}

async function doTaken(
  batch: Batch,
  item: BatchItem,
  by: By,
  told: () => readonly unknown[],
): Promise<void> {
  if (batch.undoes !== null) return undoItem(batch, item, by);
  const operation = operationNamed(batch.operation);
  if (!operation) throw new Error(`There is no operation ${batch.operation}.`);
  if (operation.ends && item.subject === by.actor.id)
    throw new AdminRefusal(null, sentence('refused.batch.self'));
  const { undo } = operation;
  const stateNow = async () =>
    undo === 'never'
      ? undefined
      : (await undo.state.read([item.subject], batch.given)).get(item.subject);
  const toldBefore = told().length;
  const before = await stateNow();
  await perform(operation.act, operation.said(item, batch.given), by);
  if (told().length === toldBefore) return noteAlready(batch.id, item.position);
  const after = await stateNow();
  if (undo !== 'never' && before && after && undo.state.isOn(before) !== undo.state.isOn(after))
    await keepState(batch.id, item.position, { before, after });
}

/**
 * The sign-in was fresh when the batch was started, but the rights are checked again.
 * @throws NotAllowed
 */
async function byOf(batch: Batch): Promise<By> {
  const { madeBy, address, requestId } = batch;
  const noun = operationNamed(batch.given.undone ?? batch.operation)?.noun ?? 'batch';
  const now = new Date();
  const { role, rights } = await presentRightsOf(madeBy, now);
  const demandRight = (besides: ApiNoun = noun) => {
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
