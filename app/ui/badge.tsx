import type { ReactNode } from 'react';

const tones = {
  neutral: 'border-line bg-sunken text-ink-soft',
  accent: 'border-accent-line bg-accent-tint text-accent',
  warning: 'border-warn-line bg-warn-tint text-warn',
  danger: 'border-danger-line bg-danger-tint text-danger',
} as const;

/** A short label: "new", "disabled", "public". */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: keyof typeof tones;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-block rounded-full border px-2 py-px text-xs font-semibold tracking-normal whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
