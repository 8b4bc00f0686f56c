import type { InputHTMLAttributes, ReactNode } from 'react';
import { Icon } from './line-icon.tsx';

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'id'> & {
  name: string;
  label: ReactNode;
  id?: string;
  hint?: ReactNode;
  /** `radio` for a single choice. */
  type?: 'checkbox' | 'radio';
};

const tick =
  'pointer-events-none absolute inset-0 m-auto opacity-0 peer-checked:opacity-100 forced-colors:hidden';

/** A checkbox with label and hint. */
export function Checkbox({
  label,
  hint,
  name,
  id = name,
  type = 'checkbox',
  ...rest
}: CheckboxProps) {
  return (
    <div className="flex gap-3">
      <span className="relative mt-0.5 grid size-5 shrink-0">
        <input
          {...rest}
          type={type}
          name={name}
          id={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className={`peer size-5 cursor-pointer appearance-none border border-line-strong bg-surface checked:border-accent checked:bg-accent hover:border-ink forced-colors:appearance-auto ${type === 'radio' ? 'rounded-full' : 'rounded-md'}`}
        />
        {type === 'radio' ? (
          <span className={`size-2 rounded-full bg-accent-ink ${tick}`} />
        ) : (
          <Icon name="check" className={`size-4 text-accent-ink ${tick}`} />
        )}
      </span>
      <div>
        <label htmlFor={id} className="cursor-pointer font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-ink-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
