import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type CardProps = {
  title?: ReactNode;
  text?: ReactNode;
  /** Buttons at the end of the title row. */
  actions?: ReactNode;
  /** Makes the card a landmark named by its title. */
  id?: string;
  className?: string;
  children?: ReactNode;
};

/** A section of a page: title, sentence, content. */
export function Card({ title, text, actions, id, className, children }: CardProps) {
  const titleId = id && title ? `${id}-title` : undefined;
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={classNames('rounded-2xl border border-line bg-surface p-5 sm:p-6', className)}
    >
      {(title || actions) && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          {title && (
            <h2 id={titleId} className="text-lg font-semibold tracking-tight">
              {title}
            </h2>
          )}
          {actions}
        </div>
      )}
      {text && <p className="mt-1 text-ink-soft">{text}</p>}
      {children && <div className={title || text ? 'mt-5' : undefined}>{children}</div>}
    </section>
  );
}
