import type { ReactNode } from 'react';
import { Icon, type IconName } from './line-icon.tsx';

/** Shown for an empty list: why it is empty, and how to fill it. */
export function EmptyState({
  icon = 'plug',
  title,
  text,
  action,
}: {
  icon?: IconName;
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center rounded-xl border border-dashed bg-surface border-line-strong/60 px-6 py-9 text-center">
      <span className="mb-3 grid size-11 place-items-center rounded-full bg-accent-tint text-accent">
        <Icon name={icon} />
      </span>
      <p className="font-semibold">{title}</p>
      {text && <p className="mt-1 max-w-sm text-sm text-pretty text-ink-soft">{text}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
