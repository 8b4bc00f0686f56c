import { listOf } from '../act.ts';

/** The groups in a form: IDs of ticked ones, or names separated by commas. */
export function groupsIn(form: FormData): string[] {
  return listOf(form, 'groups').flatMap((value) => value.split(','));
}
