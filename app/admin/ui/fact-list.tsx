import type { ReactNode } from 'react';

/** Facts that cannot be changed here, each with its name. */
export function FactList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-sm font-semibold max-sm:-mb-3 sm:pt-px">{name}</dt>
          <dd className="min-w-0 text-ink-soft wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
