import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './line-icon.tsx';

export type Option = { value: string; label: string; group?: string };

/** A select. Options of one group come one after the other. */
export function Select({
  options,
  className,
  ...rest
}: ComponentProps<'select'> & { options: readonly Option[] }) {
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <div className="relative">
      <select {...rest} className={classNames('cursor-pointer appearance-none pe-10', className)}>
        {groups.map((group) => {
          const inside = options
            .filter((option) => option.group === group)
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ));
          return group === undefined ? (
            inside
          ) : (
            <optgroup key={group} label={group}>
              {inside}
            </optgroup>
          );
        })}
      </select>
      <Icon
        name="chevron"
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 rotate-90 text-ink-soft"
      />
    </div>
  );
}
