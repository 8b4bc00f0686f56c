import { listOf } from '../act.ts';

/** The groups that a form names: ids of ticked ones, or names between commas. */
export function groupsIn(form: FormData): string[] {
  return listOf(form, 'groups').flatMap((value) => value.split(','));
}
