import { pageText } from '../../locale.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { QuickLink } from './quick-link.tsx';

type Filter = { name: string; label: string; value: string; options: readonly Option[] };

/**
 * The search, filters and order of a list, all in the address, so that it can be bookmarked and
 * shared.
 */
export async function ListSearch({
  action,
  label,
  query,
  placeholder,
  filters,
}: {
  action: string;
  label: string;
  query: string;
  placeholder?: string;
  filters: readonly Filter[];
}) {
  const text = await pageText();
  const inUse = query !== '' || filters.some(({ value, options }) => value !== options[0]?.value);
  return (
    <search aria-label={label}>
      <form
        method="get"
        action={action}
        data-filters
        className="flex flex-wrap items-end gap-x-3 gap-y-3"
      >
        <div className="grid min-w-0 flex-1 basis-full xl:basis-44 gap-1">
          <label htmlFor="q" className="text-sm font-semibold">
            {label}
          </label>
          <Input
            key={query}
            type="search"
            id="q"
            name="q"
            defaultValue={query}
            placeholder={placeholder}
            maxLength={200}
            autoComplete="off"
          />
        </div>
        {filters.map((filter) => (
          <div key={filter.name} className="grid min-w-32 flex-1 gap-1">
            <label htmlFor={filter.name} className="text-sm font-semibold">
              {filter.label}
            </label>
            <Select
              key={filter.value}
              id={filter.name}
              name={filter.name}
              defaultValue={filter.value}
              options={filter.options}
              autoComplete="off"
            />
          </div>
        ))}
        <div className="flex items-center gap-3">
          <Button kind="secondary">{text('frame.searchSubmit')}</Button>
          {inUse && (
            <QuickLink className="gh-link py-2 text-sm" href={action}>
              {text('frame.clear')}
            </QuickLink>
          )}
        </div>
      </form>
    </search>
  );
}
