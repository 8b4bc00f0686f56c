import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './line-icon.tsx';

export type Option = { value: string; label: string };

export function Select({
  options,
  className,
  ...rest
}: ComponentProps<'select'> & { options: readonly Option[] }) {
  return (
    <div className="relative">
      <select {...rest} className={classNames('cursor-pointer appearance-none pe-10', className)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron"
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 rotate-90 text-ink-soft"
      />
    </div>
  );
}
