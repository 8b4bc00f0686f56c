import { once } from '../once.ts';

/** Set by the renderer, reported by `/readyz`. */
const state = () => once('pages-fail', () => ({ isSo: false }));

/** Notes whether what renders pages could be loaded. */
export function notePages(fail: boolean): void {
  state().isSo = fail;
}

/** Whether what renders pages could not be loaded when that was last tried. */
export function doPagesFail(): boolean {
  return state().isSo;
}
