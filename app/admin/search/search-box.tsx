'use client';

import { useText } from '../../ui/browser-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { useMay } from '../ui/allowed.tsx';

/**
 * The search at the top of every dashboard page. On pages whose list has no search, `/` focuses it
 * (public/dashboard.js).
 */
export function SearchBox() {
  const text = useText();
  const seesAll = useMay('see-everything');
  const anywhere = text(seesAll ? 'search.anywhere' : 'search.support.anywhere');
  return (
    <search aria-label={anywhere} className="contents">
      <form
        method="get"
        action="/admin/search"
        className="order-last flex min-w-0 basis-full gap-2 sm:order-none sm:max-w-md sm:flex-1 sm:basis-auto"
      >
        <Input
          enterKeyHint="search"
          name="q"
          id="anywhere"
          aria-label={anywhere}
          aria-keyshortcuts="/"
          placeholder={text(seesAll ? 'search.hint' : 'search.support.hint')}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          className="min-w-0"
        />
        <Button kind="secondary" size="small" className="shrink-0">
          {text('search.go')}
        </Button>
      </form>
    </search>
  );
}
