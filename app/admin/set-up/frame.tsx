import type { ReactNode } from 'react';
import { pageText } from '../../locale.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { type SetUpStep, setUpAt, setUpSteps } from './steps.ts';

/** One step of the set-up, with links to the others. */
export async function SetUpFrame({ step, children }: { step: SetUpStep; children: ReactNode }) {
  const text = await pageText();
  const at = setUpSteps.indexOf(step);
  const title = text(`setUp.steps.${step}.title`);
  return (
    <div className="mx-auto max-w-2xl">
      <nav aria-label={text('setUp.nav')} className="mb-6">
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
                {text(`setUp.steps.${each}.label`)}
              </QuickLink>
            </li>
          ))}
        </ol>
      </nav>
      <AdminPage
        title={text('setUp.titleOf', { title, step: at + 1, of: setUpSteps.length })}
        heading={title}
        text={text(`setUp.steps.${step}.text`)}
      >
        {children}
        <p className="text-sm text-ink-soft">
          {text('setUp.later')}{' '}
          <QuickLink className="gh-link" href="/admin">
            {text('setUp.home')}
          </QuickLink>
        </p>
      </AdminPage>
    </div>
  );
}
