import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Icon, type IconName } from './line-icon.tsx';

const icons: Record<string, IconName> = {
  openid: 'shield',
  profile: 'person',
  email: 'envelope',
  address: 'house',
  phone: 'phone',
  groups: 'people',
  offline_access: 'clock',
};

type ScopeSentence = {
  name: string;
  sentence: ReactNode;
  /** The label of a sensitive scope, which is shown with more weight than the others. */
  sensitive?: string;
};

export function ScopeLines({ lines }: { lines: readonly ScopeSentence[] }) {
  return (
    <ul className="grid gap-3">
      {lines.map(({ name, sentence, sensitive }) => (
        <li
          key={name}
          className={
            sensitive
              ? 'flex gap-3 rounded-xl border border-warn-line bg-warn-tint px-3.5 py-3 font-semibold'
              : 'flex gap-3'
          }
        >
          <Icon
            name={sensitive ? 'alert' : (icons[name] ?? 'key')}
            className={`mt-0.5 size-5 ${sensitive ? 'text-warn' : 'text-accent'}`}
          />
          <span className="min-w-0 wrap-anywhere">
            {sentence} {sensitive && <Badge tone="warning">{sensitive}</Badge>}
          </span>
        </li>
      ))}
    </ul>
  );
}
