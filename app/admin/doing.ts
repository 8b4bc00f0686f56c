import type { z } from 'zod';
import { type Act, perform } from '#lib/management/act.ts';
import { refusingAt } from '#lib/management/refusing-at.ts';
import { act, textOf } from './act.ts';
import type { FormState } from './ui/forms/state.ts';

/**
 * The server action of an act. A server action is a public address: what the form says is read, and
 * looked up, by a function that runs once the act is allowed, and by nothing before.
 * @param done what is shown afterwards
 * @param seenNow the version that is stored, where somebody else may have saved a change first
 * @param controlOf the control in which the form says what the act takes at a place
 */
export function doing<Takes extends z.ZodType, Tells extends z.ZodType, Result = never>(
  definition: Act<Takes, Tells>,
  read: (form: FormData) => z.input<Takes> | Promise<z.input<Takes>>,
  done: (told: z.output<Tells>, form: FormData) => FormState<Result> | Promise<FormState<Result>>,
  seenNow?: (form: FormData) => Promise<string | Record<string, string>>,
  controlOf: (place: string) => string = (place) => place,
): (before: FormState<Result>, form: FormData) => Promise<FormState<Result>> {
  return async (_, form) => {
    const seen = form.has('seen') ? textOf(form, 'seen') : undefined;
    return act(
      definition.may,
      form,
      async (acting) => {
        const told = perform(definition, await read(form), { ...acting, seen });
        return done(await refusingAt(controlOf, told), form);
      },
      seenNow && (() => seenNow(form)),
    );
  };
}

/** What is shown once, in the place of the form. */
export const shown = <Result>(result: Result): FormState<Result> => ({
  serial: Date.now(),
  faults: {},
  result,
});

/** The texts of a form in which each of these fields has a control. */
export const textsIn = <Field extends string>(
  form: FormData,
  fields: Readonly<Record<Field, unknown>>,
) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, textOf(form, name)])) as Record<
    Field,
    string
  >;
