import type { ReactNode } from 'react';
import { Icon, type IconName } from './line-icon.tsx';

type NoticeKind = 'error' | 'warning' | 'info' | 'success';

const looks: Record<NoticeKind, { icon: IconName; tone: string; box: string }> = {
  error: { icon: 'alert', tone: 'text-danger', box: 'border-danger-line bg-danger-tint' },
  warning: { icon: 'alert', tone: 'text-warn', box: 'border-warn-line bg-warn-tint' },
  info: { icon: 'info', tone: 'text-info', box: 'border-info-line bg-info-tint' },
  success: { icon: 'check', tone: 'text-accent', box: 'border-accent-line bg-accent-tint' },
};

export type NoticeBoxProps = {
  kind: NoticeKind;
  /** The kind of message, for those who can't see its colour. */
  word: string;
  title?: ReactNode;
  children?: ReactNode;
  id?: string;
};

/** A message box. Errors are announced as alerts, results as status. */
export function NoticeBox({ kind, word, title, children, id }: NoticeBoxProps) {
  const look = looks[kind];
  const role = kind === 'error' ? 'alert' : kind === 'success' ? 'status' : undefined;
  return (
    <div
      id={id}
      role={role}
      className={`flex gap-3 rounded-xl border px-4 py-3 text-sm ${look.box}`}
    >
      <Icon name={look.icon} className={`size-5 ${look.tone}`} />
      <div className="min-w-0">
        <span className="sr-only">{word}: </span>
        {title && <p className={`font-semibold ${look.tone}`}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}
