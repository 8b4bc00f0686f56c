import { pageText } from '../../../locale.ts';
import { Button } from '../../../ui/button.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Icon } from '../../../ui/line-icon.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { hrefOf } from '../href.ts';

/** One filter of a list, with its value in the address; '' if it is not used. */
export type Filter = {
  name: string;
  label: string;
  value: string;
  /** The options of a choice; without them, the filter is a text or a day. */
  options?: readonly Option[];
  type?: 'search' | 'date';
  placeholder?: string;
  /** What to show for the value, if not the value itself. */
  shown?: string;
};

/** An option of a filter. */
export type Choice = readonly [value: string, label: string, group?: string];

type Props = {
  path: string;
  query: Readonly<Record<string, string>>;
  label: string;
  /** The field that is always visible. */
  search?: { name: string; label: string; value: string; placeholder?: string };
  filters: readonly Filter[];
  /** Links to common choices, inside the panel. */
  shortcuts?: readonly { label: string; href: string }[];
  /** The same kind of links, visible unless their filters are used. */
  suggested?: readonly { label: string; href: string }[];
};

/**
 * Search and filters of a list on one line, all in the address, so that it can be shared. A filter
 * in use is a link that removes it. The others are in a panel, where a choice takes effect
 * immediately (public/dashboard.js) or with the button.
 */
export async function Filters(props: Props) {
  const { path, query, label, search, filters, shortcuts = [], suggested = [] } = props;
  const text = await pageText();
  const used = filters.filter(({ value }) => value !== '');
  return (
    <div className="flex min-w-72 flex-1 flex-wrap items-center gap-2">
      <search aria-label={label} className="contents">
        <form method="get" action={path} data-filters className="contents">
          <Hidden fields={{ sort: query.sort || undefined }} />
          {search && (
            <div className="gh-search">
              <input
                key={search.value}
                type="search"
                id={search.name}
                name={search.name}
                aria-label={search.label}
                aria-keyshortcuts="/"
                defaultValue={search.value}
                placeholder={search.placeholder}
                maxLength={200}
                autoComplete="off"
                spellCheck={false}
              />
              <button type="submit" aria-label={text('frame.searchSubmit')}>
                <Icon name="search" className="size-4" />
              </button>
            </div>
          )}
          {filters.length > 0 && (
            <details className="gh-filter" data-panel>
              <summary className="gh-chip">+ {text('table.filter')}</summary>
              <div>
                {shortcuts.length > 0 && (
                  <p className="flex flex-wrap gap-1.5">
                    {shortcuts.map((shortcut) => (
                      <a key={shortcut.href} href={shortcut.href} className="gh-chip">
                        {shortcut.label}
                      </a>
                    ))}
                  </p>
                )}
                {filters.map((filter) => (
                  <FilterField key={filter.name} filter={filter} />
                ))}
                <Button kind="secondary" size="small">
                  {text('table.apply')}
                </Button>
              </div>
            </details>
          )}
        </form>
      </search>
      {used.map((filter) => (
        <a
          key={filter.name}
          className="gh-chip gh-chip-used"
          href={hrefOf(path, { ...query, [filter.name]: '', page: '' })}
          aria-label={text('table.without', { filter: filter.label, value: shownOf(filter) })}
        >
          {filter.label}: <bdi>{shownOf(filter)}</bdi> <span aria-hidden="true">✕</span>
        </a>
      ))}
      {suggested
        .filter(({ href }) => href !== hrefOf(path, { ...query, page: '' }))
        .map((filter) => (
          <a key={filter.href} className="gh-chip" href={filter.href}>
            {filter.label}
          </a>
        ))}
      {(used.length > 0 || search?.value) && (
        <a className="gh-link px-1 text-sm" href={path}>
          {text('frame.clear')}
        </a>
      )}
    </div>
  );
}

function FilterField({ filter }: { filter: Filter }) {
  const { name, label, value, options, type = 'search', placeholder, shown } = filter;
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={name} className="text-xs font-semibold">
        {label}
      </label>
      {options ? (
        <Select
          key={value}
          id={name}
          name={name}
          defaultValue={value}
          options={options}
          autoComplete="off"
        />
      ) : (
        <input
          key={value}
          type={type}
          id={name}
          name={name}
          defaultValue={shown ?? value}
          placeholder={placeholder}
          maxLength={200}
          autoComplete="off"
        />
      )}
    </div>
  );
}

const shownOf = ({ value, options, shown }: Filter): string =>
  shown ?? options?.find((option) => option.value === value)?.label ?? value;

/**
 * A filter from the address. If it is absent or unknown, nothing is chosen, which the first option
 * stands for.
 */
export function choiceOf(
  query: Readonly<Record<string, string>>,
  name: string,
  label: string,
  choices: readonly Choice[],
): Filter {
  const options = choices.map(([value, label, group]) => ({ value, label, group }));
  const known = options.some(({ value }) => value === query[name]);
  return { name, label, options, value: known ? (query[name] ?? '') : '' };
}
