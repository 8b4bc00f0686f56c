import type { ReactNode } from 'react';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';

/** Title and heading of one state of this page. The form and what it gives have one each. */
export function StateHeader({ title, text }: { title: string; text?: ReactNode }) {
  return (
    <div>
      <PageTitle title={title} locale="en" />
      <PageHeader title={title} text={text} />
    </div>
  );
}
