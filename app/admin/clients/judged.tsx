'use client';

import { type AddressNote, judgeRedirectUri } from '#lib/management/addresses.ts';
import type { Wording } from '#lib/oauth/wording.ts';
import { useText, useWording } from '../../ui/browser-text.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { TickField } from '../ui/forms/fields.tsx';

/** The addresses in a field with one per line. */
export const linesIn = (typed: string) =>
  [...new Set(typed.split('\n').map((line) => line.trim()))].filter(Boolean).slice(0, 100);

/**
 * Reloads part of a form from /admin/judge while the user types in these fields (`public/live.js`).
 */
const asTyped = (names: readonly string[], query = '') => ({
  'data-live': `/admin/judge${query}`,
  'data-typed': names.map((name) => `[name="${name}"]`).join(),
});

/** Each address of a field, with what to know about it. */
export function Judged({ name, typed }: { name: string; typed: string }) {
  return (
    <ul
      id={`judged-${name}`}
      {...asTyped([name])}
      aria-live="polite"
      className="grid gap-2 empty:hidden"
    >
      {linesIn(typed).map((line) => (
        <Judgement key={line} line={line} {...judgeRedirectUri(line)} />
      ))}
    </ul>
  );
}

type JudgementProps = { line: string; fault: Wording | null; notes: readonly AddressNote[] };

function Judgement({ line, fault, notes }: JudgementProps) {
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

/**
 * Asks about plain http while one of these fields contains such an address that is not registered
 * yet.
 */
export function PlainHttp({
  fields,
  known = [],
}: {
  /** The names of the fields, each with its value. */
  fields: Readonly<Record<string, string>>;
  /** The registered addresses. */
  known?: readonly string[];
}) {
  const text = useText();
  const isPlain = (line: string) => judgeRedirectUri(line).kind === 'http';
  const accepted = known.filter(isPlain);
  const asks = Object.values(fields)
    .flatMap(linesIn)
    .some((line) => isPlain(line) && !accepted.includes(line));
  const query = accepted.map((line) => `&known=${encodeURIComponent(line)}`).join('');
  return (
    <div
      id="plain-http"
      {...asTyped(Object.keys(fields), query.replace('&', '?'))}
      className="empty:hidden"
    >
      {asks && (
        <TickField
          name="allowInsecureRedirectUri"
          label={text('connect.insecure')}
          hint={text('connect.insecureHint')}
        />
      )}
    </div>
  );
}
