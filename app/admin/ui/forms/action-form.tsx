'use client';

import {
  createContext,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useRef,
} from 'react';
import { frameWords } from '#lib/messages/admin/frame.ts';
import { AdminNotice } from '../admin-notice.tsx';
import { type FormState, untouched } from './state.ts';

type Inside = { state: FormState; pending: boolean };
const FormContext = createContext<Inside>({ state: untouched, pending: false });

/** The state of the surrounding form. */
export const useForm = () => useContext(FormContext);

export type Action<Result = never> = (
  state: FormState<Result>,
  form: FormData,
) => Promise<FormState<Result>>;

/**
 * A form for a server action. Works without scripts, keeps typed values after a refusal, and moves
 * to the first faulty field. `done` renders the result in place of the form.
 */
export function ActionForm<Result = never>({
  action,
  label,
  className = 'grid gap-5',
  children,
  done,
}: {
  action: Action<Result>;
  /** Identifies the form on a page with several. */
  label?: string;
  className?: string;
  children: ReactNode;
  done?: (result: Result) => ReactNode;
}) {
  const [state, submit, pending] = useActionState<FormState<Result>, FormData>(action, {
    ...untouched,
  });
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.serial === 0) return;
    const inForm = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    const wrong = inForm('[aria-invalid="true"]') ?? inForm('[data-refusal]');
    const inside = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input') : wrong;
    inside?.focus();
  }, [state.serial]);
  if (state.result !== undefined && done) return done(state.result);
  return (
    <FormContext value={{ state: state as FormState, pending }}>
      <form
        ref={box}
        action={submit}
        aria-label={label}
        className={className}
        // React would reset the form after an action; this keeps the typed values.
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent as SubmitEvent;
          const form = new FormData(event.currentTarget, submitter);
          if (!pending) startTransition(() => submit(form));
        }}
      >
        <Refusal state={state as FormState} />
        {children}
      </form>
    </FormContext>
  );
}

/** A fault of the form as a whole. */
function Refusal({ state: { error, faults, signInHref, compareHref } }: { state: FormState }) {
  const count = Object.keys(faults).length;
  if (!error && count === 0) return null;
  return (
    <div data-refusal tabIndex={-1} className="w-full rounded-xl">
      <AdminNotice kind={signInHref ? 'warning' : 'error'}>
        <p>{error ?? frameWords.refused(count)}</p>
        {signInHref && (
          <p className="mt-1">
            <a className="gh-link font-semibold" href={signInHref} target="_blank" rel="noreferrer">
              {frameWords.signInAgain}
            </a>
          </p>
        )}
        {compareHref && (
          <p className="mt-1">
            <a
              className="gh-link font-semibold"
              href={compareHref}
              target="_blank"
              rel="noreferrer"
            >
              {frameWords.compare}
            </a>
          </p>
        )}
      </AdminNotice>
    </div>
  );
}
