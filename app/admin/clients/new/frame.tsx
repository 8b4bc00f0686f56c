import type { ReactNode } from 'react';
import { pageText } from '../../../locale.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';

/** Title and heading for one state of this page: the form, or its result. */
export async function StateHeader({ title, text }: { title: string; text?: ReactNode }) {
  const words = await pageText();
  return (
    <div>
      <PageTitle title={title} locale={words.locale} />
      <PageHeader title={title} text={text} />
    </div>
  );
}
