'use client';

import { useEffect, useRef, useState } from 'react';
import { judgeRedirectUri } from '#lib/management/addresses.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { useForm } from '../../ui/forms/action-form.tsx';
import { TickField } from '../../ui/forms/fields.tsx';
import type { Carried } from './carried.ts';

/** Asks about plain http while one of these fields holds such an address. */
export function InsecureTick({ fields, initial }: { fields: readonly string[]; initial: Carried }) {
  const text = useText();
  const { state } = useForm();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    const onInput = ({ target }: Event) => {
      if (target instanceof HTMLInputElement)
        setTyped((before) => ({ ...before, [target.name]: target.value }));
    };
    form?.addEventListener('input', onInput);
    return () => form?.removeEventListener('input', onInput);
  }, []);
  const risky = fields.some((name) => {
    const value = typed[name] ?? state.values?.[name]?.[0] ?? initial[name] ?? '';
    return judgeRedirectUri(value.trim()).kind === 'http';
  });
  return (
    <div ref={place} className="empty:hidden">
      {risky && (
        <TickField
          name="allowInsecureRedirectUri"
          label={text('connect.insecure')}
          hint={text('connect.insecureHint')}
        />
      )}
    </div>
  );
}
