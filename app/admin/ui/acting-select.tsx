'use client';

import { type ComponentProps, useEffect, useRef } from 'react';
import { Select } from '../../ui/select.tsx';

type Props = Omit<ComponentProps<typeof Select>, 'defaultValue' | 'onChange' | 'ref'>;

/** The select that was used last: another address is another page, which begins without a focus. */
let used: { id?: string; value: string } | undefined;

/** A select that sends its form as soon as something is chosen; without scripts its button does. */
export function ActingSelect({ chosen, ...rest }: Props & { chosen: string }) {
  const { id } = rest;
  const box = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (box.current && isOther(box.current, chosen)) return send(box.current);
    // Its new element is there once the address has the choice.
    if (used?.id !== id || used?.value !== chosen) return;
    used = undefined;
    box.current?.focus({ preventScroll: true });
  }, [id, chosen]);
  return (
    <Select
      key={chosen}
      {...rest}
      ref={box}
      defaultValue={chosen}
      // What the browser remembers from before a reload is no choice.
      autoComplete="off"
      onChange={({ currentTarget }) => send(currentTarget)}
    />
  );
}

function send(select: HTMLSelectElement): void {
  used = { id: select.id, value: select.value };
  select.form?.requestSubmit();
}

/** Whether something else was chosen before scripts ran. */
function isOther({ value, options }: HTMLSelectElement, chosen: string): boolean {
  return value !== chosen && [...options].some((option) => option.value === chosen);
}
