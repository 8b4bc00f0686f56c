import type { Actor } from '../store/actor.ts';
import type { By } from './act.ts';

/** Who edits something, when, and on which terms. */
export type Editing<Seen = Date> = {
  actor: Actor;
  now: Date;
  /** The version that was edited: a later one is not changed. */
  seen?: Seen;
  /** Called before a change that loosens anything, which it may refuse by throwing. */
  onLoosening?: By['demandFresh'];
};
