'use client';

import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { type ControlProps, Field } from '../../../ui/field.tsx';
import { Input, TextArea } from '../../../ui/input.tsx';
import { Icon } from '../../../ui/line-icon.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { useForm } from './action-form.tsx';

type Common = { name: string; label: ReactNode; id?: string; hint?: ReactNode; optional?: boolean };
type Typed = Common & {
  defaultValue?: string;
  /** It holds no words of a language, so nothing is corrected in it. */
  asTyped?: boolean;
};

const literal = { autoCapitalize: 'none', spellCheck: false } as const;

/** The value of a field (typed, or else the initial one) and its fault. */
export function useField(
  name: string,
  initial: string | undefined,
): { value: string | undefined; error: string | undefined } {
  const { state } = useForm();
  return {
    value: state.values ? (state.values[name]?.[0] ?? '') : initial,
    error: state.faults[name],
  };
}

type LabelledProps = Common & {
  defaultValue?: string;
  children: (control: ControlProps, value: string | undefined) => ReactNode;
};

/** Label, hint and fault around a control, which gets its value from here. */
function Labelled({ name, optional, defaultValue, children, ...rest }: LabelledProps) {
  const text = useText();
  const { value, error } = useField(name, defaultValue);
  return (
    <Field
      name={name}
      {...rest}
      error={error}
      optional={optional ? text('frame.optional') : undefined}
    >
      {(control) => children(control, value)}
    </Field>
  );
}

type TextProps = Omit<InputHTMLAttributes<HTMLInputElement>, keyof Typed> & Typed;

export function TextField(props: TextProps) {
  const { name, label, id, hint, optional, defaultValue, asTyped, ...rest } = props;
  const field = { name, label, id, hint, optional, defaultValue };
  return (
    <Labelled {...field}>
      {(control, value) => (
        <Input
          autoComplete="off"
          {...(asTyped && literal)}
          {...rest}
          {...control}
          defaultValue={value}
        />
      )}
    </Labelled>
  );
}

/** A colour in hex: typed, or with scripts picked (public/dashboard.js). */
export function ColourField({ name, label, id, hint, optional, defaultValue, ...rest }: TextProps) {
  const field = { name, label, id, hint, optional, defaultValue };
  return (
    <Labelled {...field}>
      {(control, value) => (
        <span className="flex gap-2">
          <input
            type="color"
            data-picks={control.id}
            defaultValue={/^#[\da-f]{6}$/i.test(value ?? '') ? value : rest.placeholder}
            aria-hidden="true"
            tabIndex={-1}
            className="w-11 flex-none p-1"
          />
          <Input
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            {...rest}
            {...control}
            className="max-w-36 font-mono"
            defaultValue={value}
          />
        </span>
      )}
    </Labelled>
  );
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof Typed> & Typed;

export function AreaField(props: AreaProps) {
  const { name, label, id, hint, optional, defaultValue, asTyped, ...rest } = props;
  const field = { name, label, id, hint, optional, defaultValue };
  return (
    <Labelled {...field}>
      {(control, value) => (
        <TextArea {...(asTyped && literal)} {...rest} {...control} defaultValue={value} />
      )}
    </Labelled>
  );
}

type SelectProps = Omit<LabelledProps, 'children'> & { options: readonly Option[] };

export function SelectField({ options, ...rest }: SelectProps) {
  return (
    <Labelled {...rest}>
      {(control, value) => (
        <Select {...control} key={value} options={options} defaultValue={value} />
      )}
    </Labelled>
  );
}

type ChoiceOption = { value: string; label: string; hint?: ReactNode };

type ChoiceProps = {
  name: string;
  legend: ReactNode;
  hint?: ReactNode;
  /** One option, or with `many` any number. */
  options: readonly ChoiceOption[];
  many?: boolean;
  initial: readonly string[];
  /** In two columns, or side by side. */
  columns?: boolean;
  row?: boolean;
};

/** Radio buttons or checkboxes, each with a sentence. */
export function ChoiceField({
  name,
  legend,
  hint,
  options,
  many = false,
  initial,
  columns,
  row,
}: ChoiceProps) {
  const { state } = useForm();
  const chosen = state.values ? (state.values[name] ?? []) : initial;
  const error = state.faults[name];
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset
      aria-describedby={described || undefined}
      aria-invalid={error ? true : undefined}
      className="grid gap-3"
    >
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      {hint && (
        <p id={`${name}-hint`} className="-mt-2 text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${name}-error`} className="flex gap-1.5 text-sm font-medium text-danger">
          <Icon name="alert" className="mt-0.5 size-4" />
          <span>{error}</span>
        </p>
      )}
      <div
        className={
          row
            ? 'flex flex-wrap gap-x-8 gap-y-3'
            : columns
              ? 'grid gap-3 sm:grid-cols-2'
              : 'grid gap-3'
        }
      >
        {options.map((option) => (
          <Checkbox
            key={option.value}
            type={many ? 'checkbox' : 'radio'}
            name={name}
            id={`${name}-${option.value}`}
            value={option.value}
            label={option.label}
            hint={option.hint}
            defaultChecked={chosen.includes(option.value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type TickProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  initial?: boolean;
  id?: string;
};

/** Yes or no. */
export function TickField({ name, label, hint, initial = false, id }: TickProps) {
  const { state } = useForm();
  const ticked = state.values ? state.values[name] !== undefined : initial;
  const error = state.faults[name];
  return (
    <div className="grid gap-1.5">
      <Checkbox name={name} id={id} value="on" label={label} hint={hint} defaultChecked={ticked} />
      {error && (
        <p className="ps-8 text-sm font-medium text-danger" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
