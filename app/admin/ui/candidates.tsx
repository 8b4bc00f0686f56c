import type { ReactNode } from 'react';
import type { Candidate, Match } from '#lib/management/candidates.ts';
import { classNames } from '../../ui/class-names.ts';

type Props = {
  label: string;
  /** Asks which one is meant, or says that there is none. */
  question: string;
  className: string;
  /** An entry for each, with what can be done to it. */
  children: ReactNode;
};

/** What a typed text could mean. */
export function Candidates({ label, question, className, children }: Props) {
  return (
    <section
      aria-label={label}
      className={classNames('rounded-xl border border-line bg-sunken px-4 py-3', className)}
    >
      <p className="font-semibold wrap-anywhere" role="status">
        {question}
      </p>
      <ul className="mt-2 divide-y divide-line">{children}</ul>
    </section>
  );
}

/** All that a text could mean: one, several or none. */
export function candidatesIn(match: Match): readonly Candidate[] {
  if ('one' in match) return [match.one];
  return 'several' in match ? match.several : [];
}
