'use client';

import type { ReactNode } from 'react';
import { useText } from '../../ui/browser-text.tsx';
import { AreaField, TickField, useField } from '../ui/forms/fields.tsx';
import { Judged, linesIn, PlainHttp } from './judged.tsx';

type AddressListProps = {
  name: string;
  label: string;
  hint: ReactNode;
  initial: readonly string[];
  optional?: boolean;
  /**
   * The addresses for which plain http is already accepted. If set, the list offers to accept it
   * for others; only one list of a form does.
   */
  accepts?: readonly string[];
  /** Once an empty list was refused, offers to go without any address. */
  asksWhenEmpty?: boolean;
};

/** Addresses, one per line, each checked as it is typed, and checked again when sent. */
export function AddressList({
  name,
  label,
  hint,
  initial,
  optional,
  accepts,
  asksWhenEmpty,
}: AddressListProps) {
  const text = useText();
  const { value = '', error } = useField(name, initial.join('\n'));
  const lines = linesIn(value);
  return (
    <div className="grid gap-3">
      <AreaField
        name={name}
        label={label}
        hint={hint}
        optional={optional}
        defaultValue={initial.join('\n')}
        rows={Math.min(8, Math.max(2, lines.length + 1))}
        asTyped
        className="font-mono text-sm!"
      />
      <Judged name={name} typed={value} />
      {asksWhenEmpty && error && lines.length === 0 && (
        <TickField
          name="allowNoRedirectUri"
          label={text('connect.noRedirect')}
          hint={text('connect.noRedirectHint')}
        />
      )}
      {accepts && <PlainHttp fields={{ [name]: value }} known={accepts} />}
    </div>
  );
}
