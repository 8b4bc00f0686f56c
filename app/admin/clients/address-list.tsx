'use client';

import { type ReactNode, useState } from 'react';
import { type AddressNote, judgeRedirectUri } from '#lib/management/addresses.ts';
import type { Wording } from '#lib/oauth/wording.ts';
import { useText, useWording } from '../../ui/browser-text.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { AreaField, TickField, useField } from '../ui/forms/fields.tsx';

type AddressListProps = {
  name: string;
  label: string;
  hint: ReactNode;
  initial: readonly string[];
  optional?: boolean;
  /** Offers to acknowledge plain http; one list of a form does. */
  acknowledges?: boolean;
  /** Offers to go without any address, once that was refused. */
  asksWhenEmpty?: boolean;
};

/** Addresses, one per line, each judged as it is typed. The server judges them again. */
export function AddressList({
  name,
  label,
  hint,
  initial,
  optional,
  acknowledges,
  asksWhenEmpty,
}: AddressListProps) {
  const words = useText();
  const { value = '', error } = useField(name, initial.join('\n'));
  const [text, setText] = useState(value);
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))]
    .filter(Boolean)
    .slice(0, 100);
  const judged = lines.map((line) => ({ line, ...judgeRedirectUri(line) }));
  const risky = judged.some(({ kind, line }) => kind === 'http' && !initial.includes(line));
  return (
    <div
      className="grid gap-3"
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement) setText(target.value);
      }}
    >
      <AreaField
        name={name}
        label={label}
        hint={hint}
        optional={optional}
        defaultValue={initial.join('\n')}
        rows={Math.min(8, Math.max(2, lines.length + 1))}
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono text-sm!"
      />
      <ul aria-live="polite" className="grid gap-2 empty:hidden">
        {judged.map(({ line, fault, notes }) => (
          <Judgement key={line} line={line} fault={fault} notes={notes} />
        ))}
      </ul>
      {asksWhenEmpty && error && lines.length === 0 && (
        <TickField
          name="allowNoRedirectUri"
          label={words('connect.noRedirect')}
          hint={words('connect.noRedirectHint')}
        />
      )}
      {acknowledges && risky && (
        <TickField
          name="allowInsecureRedirectUri"
          label={words('clients.acknowledge')}
          hint={words('clients.acknowledgeHint')}
        />
      )}
    </div>
  );
}

function Judgement({
  line,
  fault,
  notes,
}: {
  line: string;
  fault: Wording | null;
  notes: readonly AddressNote[];
}) {
  const text = useText();
  const look = fault ? 'text-danger' : notes.length > 0 ? 'text-warn' : 'text-accent';
  const say = useWording();
  const said = fault ? [say(fault)] : notes.map((note) => text(note));
  return (
    <li className="flex gap-2 text-sm">
      <Icon
        name={fault ? 'alert' : notes.length > 0 ? 'info' : 'check'}
        className={`mt-0.5 size-4 ${look}`}
      />
      <span className="min-w-0">
        <span className="font-mono text-xs break-all">{line.slice(0, 200)}</span>
        {said.length === 0 && <span className="sr-only">: {text('clients.judgedFine')}</span>}
        <span className={`block ${fault ? 'text-danger' : 'text-ink-soft'}`}>{said.join(' ')}</span>
      </span>
    </li>
  );
}
