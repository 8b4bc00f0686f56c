'use client';

import { type ClientKind, clientKinds } from '#lib/management/client/client-kinds.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { KindIcon } from '../../../ui/kind-mark.tsx';
import { useField } from '../../ui/forms/fields.tsx';

/**
 * The kind of app. CSS shows the fields of the chosen kind, so changing the choice loses nothing
 * typed.
 */
export function KindChoice({ initial }: { initial: ClientKind }) {
  const text = useText();
  const { value } = useField('kind', initial);
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{text('connect.kind')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {clientKinds.map((kind) => (
          <label
            key={kind}
            className="flex cursor-pointer gap-3 rounded-xl border border-line-strong px-4 py-3 hover:border-ink has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={kind === value}
              className="sr-only"
            />
            <KindIcon kind={kind} className="mt-0.5 size-5 text-accent" />
            <span>
              <span className="block font-semibold">{text(`clients.kinds.${kind}.label`)}</span>
              <span className="block text-sm text-ink-soft">
                {text(`clients.kinds.${kind}.text`)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
