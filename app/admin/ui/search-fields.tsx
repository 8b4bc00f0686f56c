import Form from 'next/form';
import type { ReactNode } from 'react';
import { pageText } from '../../locale.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import type { Option } from '../../ui/select.tsx';
import { ActingSelect } from './acting-select.tsx';
import { QuickLink } from './quick-link.tsx';

type SearchField = {
  name: string;
  label: string;
  value: string;
  placeholder?: string;
  type?: 'search' | 'date';
  /** A choice instead of a text. */
  options?: readonly Option[];
};

/** A search by several criteria, all in the address so it can be bookmarked and shared. */
export async function SearchFields({
  action,
  label,
  fields,
  children,
}: {
  action: string;
  label: string;
  fields: readonly SearchField[];
  children?: ReactNode;
}) {
  const text = await pageText();
  const inUse = fields.some(({ value }) => value !== '');
  return (
    <Form
      action={action}
      // The page stays where it is, and the focus where it was.
      scroll={false}
      role="search"
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] items-end gap-3"
    >
      {fields.map(({ name, label: text, value, options, type = 'search', placeholder }) => (
        // On a phone a field has the room that its hint needs.
        <div
          key={name}
          className={`grid min-w-0 gap-1 ${placeholder ? 'max-sm:col-span-full' : ''}`}
        >
          <label htmlFor={name} className="text-sm font-semibold">
            {text}
          </label>
          {options ? (
            <ActingSelect id={name} name={name} chosen={value} options={options} />
          ) : (
            <Input
              key={value}
              className="min-w-0"
              type={type}
              id={name}
              name={name}
              defaultValue={value}
              placeholder={placeholder}
              maxLength={200}
              autoComplete="off"
            />
          )}
        </div>
      ))}
      <div className="flex items-center gap-3">
        <Button kind="secondary">{text('frame.searchSubmit')}</Button>
        {inUse && (
          <QuickLink className="gh-link py-2 text-sm" href={action}>
            {text('frame.clear')}
          </QuickLink>
        )}
        {children}
      </div>
    </Form>
  );
}
