import type { ReactNode } from 'react';
import { setUpWords as words } from '#lib/messages/admin/set-up.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { type SetUpStep, setUpAt, setUpSteps } from './steps.ts';

/** One step of the set-up, with the way to the others. */
export function SetUpFrame({ step, children }: { step: SetUpStep; children: ReactNode }) {
  const at = setUpSteps.indexOf(step);
  const { title, text } = words.steps[step];
  return (
    <div className="mx-auto max-w-2xl">
      <nav aria-label={words.nav} className="mb-6">
        <ol className="flex flex-wrap gap-x-6 gap-y-2">
          {setUpSteps.map((each, index) => (
            <li key={each}>
              <QuickLink
                href={setUpAt(each)}
                aria-current={each === step ? 'step' : undefined}
                className="group flex items-center gap-2 rounded-lg py-1 text-sm font-semibold text-ink-soft hover:text-ink aria-[current]:text-accent"
              >
                <span className="grid size-6 place-items-center rounded-full border border-line-strong text-xs tabular-nums group-aria-[current]:border-accent group-aria-[current]:bg-accent group-aria-[current]:text-accent-ink">
                  {index + 1}
                </span>
                {words.steps[each].label}
              </QuickLink>
            </li>
          ))}
        </ol>
      </nav>
      <AdminPage
        title={words.titleOf(title, at + 1, setUpSteps.length)}
        heading={title}
        text={text}
      >
        {children}
        <p className="text-sm text-ink-soft">
          {words.later}{' '}
          <QuickLink className="gh-link" href="/admin">
            {words.home}
          </QuickLink>
        </p>
      </AdminPage>
    </div>
  );
}
