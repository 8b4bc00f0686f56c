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
import { confirmFields } from '#lib/interaction/confirm-fields.ts';
import type { Permission } from '#lib/people/roles.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { AdminNotice } from '../admin-notice.tsx';
import { useMay } from '../allowed.tsx';
import { useKept } from '../kept.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { type FormState, untouched } from './state.ts';
import { ShownTurn } from './turn.tsx';

type Inside<Result = never> = { state: FormState<Result>; pending: boolean; readOnly?: boolean };
const FormContext = createContext<Inside>({ state: untouched, pending: false });

/** The state of the surrounding form, including its result if `done` is not used. */
export const useForm = <Result = never>() => useContext(FormContext) as Inside<Result>;

export type Action<Result = never> = (
  state: FormState<Result>,
  form: FormData,
) => Promise<FormState<Result>>;

/**
 * A form for a server action. It works without scripts, keeps typed values after a refusal, and
 * moves to the first faulty field. `done` renders the result instead of the form.
 */
export function ActionForm<Result = never>(props: FormProps<Result>) {
  const { need = 'admin', className = 'grid gap-5' } = props;
  const [may, kept] = [useMay(need), useKept()];
  const closed = kept ? 'kept' : may ? null : 'role';
  return <StatefulForm {...props} className={className} closed={closed} />;
}

type FormProps<Result> = {
  action: Action<Result>;
  /** The permission needed to send it. Its action checks the same. */
  need?: Permission;
  /** The form has nothing to read in it, so it is absent if it may not be sent. */
  adds?: boolean;
  /** The ID by which buttons outside the form send it. */
  id?: string;
  /** Identifies the form on a page with several. */
  label?: string;
  className?: string;
  children: ReactNode;
  done?: (result: Result) => ReactNode;
  /** What the form shows at first, as if it had been sent. */
  first?: Partial<FormState<Result>>;
  /** The name of the form's buttons, if their values differ. */
  choice?: string;
};

type StatefulProps<Result> = FormProps<Result> & {
  /**
   * Why it may not be sent: because of the reader's role, or because the configuration file manages
   * this.
   */
  closed: 'role' | 'kept' | null;
};

function StatefulForm<Result>(props: StatefulProps<Result>) {
  const { action, id, label, className, children, done, first, choice, adds, closed } = props;
  const [state, submit, pending] = useActionState<FormState<Result>, FormData>(action, {
    ...untouched,
    ...first,
  });
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.serial === 0) return;
    const inForm = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    const wrong =
      inForm(`[name="${confirmFields.password}"]`) ??
      inForm('[aria-invalid="true"]') ??
      inForm('[data-refusal]');
    const inside = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input') : wrong;
    inside?.focus();
  }, [state.serial]);
  if (state.result !== undefined && done) return done(state.result);
  if (closed)
    return (
      (!adds || state.error) && (
        <ReadOnly label={label} className={className} because={closed} state={state as FormState}>
          {children}
        </ReadOnly>
      )
    );
  return (
    <FormContext value={{ state: state as FormState, pending }}>
      <form
        ref={box}
        id={id}
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
        <ShownTurn />
        <Refusal state={state as FormState} choice={choice} />
        {children}
      </form>
    </FormContext>
  );
}

type ReadOnlyProps = {
  label: string | undefined;
  className: string | undefined;
  /** The ID of the element that gives the reason. */
  because: string;
  state: FormState;
  children: ReactNode;
};

/**
 * The content of a form that may not be sent: its fields can be read, its buttons are gone. If it
 * could be sent until now, what was typed is still there, with the reason.
 */
function ReadOnly({ label, className, because, state, children }: ReadOnlyProps) {
  return (
    <FormContext value={{ state, pending: false, readOnly: true }}>
      <fieldset
        disabled
        aria-label={label}
        aria-describedby={because}
        className={`${className} [&_[data-act]]:hidden [&_[data-save-bar]]:hidden`}
      >
        {!state.confirm && <Refusal state={state} choice={undefined} />}
        {children}
      </fieldset>
    </FormContext>
  );
}

/** A fault of the form as a whole. */
function Refusal({ state, choice }: { state: FormState; choice: string | undefined }) {
  const text = useText();
  const { error, faults, confirm, compareHref, serial, values } = state;
  const count = Object.keys(faults).length;
  if (!error && count === 0) return null;
  const value = choice && values?.[choice]?.[0];
  return (
    <div data-refusal tabIndex={-1} className="grid w-full gap-3 rounded-xl">
      <AdminNotice kind={confirm ? 'warning' : 'error'}>
        <p>{error ?? text('frame.refused', { count })}</p>
        {compareHref && (
          <p className="mt-1">
            <a
              className="gh-link font-semibold"
              href={compareHref}
              target="_blank"
              rel="noreferrer"
            >
              {text('frame.compare')}
            </a>
          </p>
        )}
      </AdminNotice>
      {confirm && (
        <ConfirmSignIn
          key={serial}
          confirm={confirm}
          choice={choice && value ? { name: choice, value } : undefined}
        />
      )}
    </div>
  );
}
