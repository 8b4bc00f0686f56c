import { notFound } from 'next/navigation';
import { errorDocs } from '#lib/messages/error-docs.ts';
import { textIn } from '#lib/messages/text.ts';
import { type ErrorCode, errorTable } from '#lib/oauth/errors.ts';
import { MessageView } from '../../../ui/views/message.tsx';

type Props = { params: Promise<{ code: string }> };

/** What an `error_uri` leads to. */
export default async function ErrorDocPage({ params }: Props) {
  const { code } = await params;
  if (!Object.hasOwn(errorTable, code)) notFound();
  const { advice, clause } = errorDocs[code as ErrorCode];
  const text = textIn();
  return (
    <MessageView
      kind="info"
      title={code}
      text={errorTable[code as ErrorCode].sentence}
      action={{ href: '/docs', label: text('docs.all') }}
    >
      <dl className="gh-facts">
        <div>
          <dt>{text('docs.advice')}</dt>
          <dd>{advice}</dd>
        </div>
        <div>
          <dt>{text('docs.clause')}</dt>
          <dd>{clause}</dd>
        </div>
      </dl>
    </MessageView>
  );
}
