import { notFound } from 'next/navigation';
import { docsWords as words } from '#lib/messages/docs.ts';
import { errorDocs } from '#lib/messages/error-docs.ts';
import { type ErrorCode, errorTable } from '#lib/oauth/errors.ts';
import { MessageView } from '../../../ui/message.tsx';

type Props = { params: Promise<{ code: string }> };

/** The target of `error_uri`. */
export default async function ErrorDocPage({ params }: Props) {
  const { code } = await params;
  if (!Object.hasOwn(errorTable, code)) notFound();
  const { advice, clause } = errorDocs[code as ErrorCode];
  return (
    <MessageView
      locale="en"
      kind="info"
      title={code}
      text={errorTable[code as ErrorCode].sentence}
      action={{ href: '/docs', label: words.all }}
    >
      <dl className="gh-facts">
        <div>
          <dt>{words.advice}</dt>
          <dd>{advice}</dd>
        </div>
        <div>
          <dt>{words.clause}</dt>
          <dd>{clause}</dd>
        </div>
      </dl>
    </MessageView>
  );
}
