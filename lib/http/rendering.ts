import { once } from '../once.ts';

/** Set by the renderer, reported by `/readyz`. */
const state = () => once('pages-fail', () => ({ isSo: false }));

/** Records whether the page renderer failed to load. */
export function notePages(fail: boolean): void {
  state().isSo = fail;
}

/** Whether the page renderer failed to load at the last attempt. */
export function doPagesFail(): boolean {
  return state().isSo;
}
