import type { ReactNode } from 'react';

/** A group of similar actions, with their purpose. */
export function Group({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-3 border-t border-line py-5 first:border-t-0 first:pt-0 last:pb-0">
      <div>
        <h3 className="font-semibold">{title}</h3>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      {children}
    </div>
  );
}
