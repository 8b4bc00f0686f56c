'use client';

import { useEffect, useState } from 'react';

/** What is typed in a field of this page, trimmed; `saved` without scripts. */
export function useTyped(selector: string, saved: string): string {
  const [typed, setTyped] = useState(saved);
  useEffect(() => {
    const take = (field: unknown) => {
      if (field instanceof HTMLInputElement && field.matches(selector))
        setTyped(field.value.trim());
    };
    // On the document: after a refusal the form has new fields.
    const follow = ({ target }: Event) => take(target);
    take(document.querySelector(selector));
    document.addEventListener('input', follow);
    return () => document.removeEventListener('input', follow);
  }, [selector]);
  return typed;
}
