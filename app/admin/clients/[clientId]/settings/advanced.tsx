'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../../../../ui/browser-text.tsx';
import { useForm } from '../../../ui/forms/action-form.tsx';

/** What few need, folded. It opens for a field that was refused, and for a link to something inside. */
export function Advanced({
  fields,
  children,
}: {
  /** The names of the fields inside. */
  fields: readonly string[];
  children: ReactNode;
}) {
  const text = useText();
  const { state } = useForm();
  const box = useRef<HTMLDetailsElement>(null);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const look = () => {
      const target = document.getElementById(location.hash.slice(1));
      if (!target || !box.current?.contains(target)) return;
      setWanted(true);
      requestAnimationFrame(() => target.scrollIntoView());
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);
  const refused = fields.some((name) => name in state.faults);
  return (
    <details ref={box} open={refused || wanted || undefined}>
      <summary className="cursor-pointer rounded-2xl border border-line bg-surface px-5 py-4 sm:px-6">
        <span className="text-lg font-semibold tracking-tight">{text('app.advanced')}</span>
        <span className="block text-sm text-ink-soft">{text('app.advancedText')}</span>
      </summary>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
    </details>
  );
}
