import type { InputHTMLAttributes, ReactNode } from 'react';

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'id'> & {
  name: string;
  label: ReactNode;
  id?: string;
  hint?: ReactNode;
  /** `radio` for a single choice. */
  type?: 'checkbox' | 'radio';
};

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
      <input
        {...rest}
        type={type}
        name={name}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5"
      />
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
