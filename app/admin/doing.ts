import type { z } from 'zod';
import { type Act, perform } from '#lib/management/act.ts';
import { refusingAt } from '#lib/management/refusing-at.ts';
import { act, textOf } from './act.ts';
import type { FormState } from './ui/forms/state.ts';

type Further = {
  /** The stored version, for forms where someone else might have saved a change first. */
  seenNow?: (form: FormData) => Promise<string | Record<string, string>>;
  /** The form control for a place in what the act takes. */
  controlOf?: (place: string) => string;
};

/**
 * The server action of an act. A server action is a public address, so `read` reads the form, and
 * looks up what it names, only once the act is allowed. Nothing does so before.
 * @param done what to show afterwards
 */
export function doing<Takes extends z.ZodType, Tells extends z.ZodType, Result = never>(
  definition: Act<Takes, Tells>,
  read: (form: FormData) => z.input<Takes> | Promise<z.input<Takes>>,
  done: (told: z.output<Tells>, form: FormData) => FormState<Result> | Promise<FormState<Result>>,
  { seenNow, controlOf = (place) => place }: Further = {},
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

/** Shows a result once, instead of the form. */
export const shown = <Result>(result: Result): FormState<Result> => ({
  serial: Date.now(),
  faults: {},
  result,
});

/** The texts of a form that has a control for each of these fields. */
export const textsIn = <Field extends string>(
  form: FormData,
  fields: Readonly<Record<Field, unknown>>,
) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, textOf(form, name)])) as Record<
    Field,
    string
  >;
