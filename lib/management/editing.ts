import type { Actor } from '../store/actor.ts';
import type { By } from './act.ts';

/** Who edits something, when, and on what conditions. */
export type Editing<Seen = Date> = {
  actor: Actor;
  now: Date;
  /** The version that was edited. A later version is not changed. */
  seen?: Seen;
  /** Called before a change that loosens anything. It may refuse the change by throwing. */
  onLoosening?: By['demandFresh'];
};
