import { notFound } from 'next/navigation';
import { readRequestId } from '#lib/management/attempt/attempt-shown.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { errorDocs } from '#lib/messages/error-docs.ts';
import { type ErrorCode, errorTable } from '#lib/oauth/errors.ts';
import { queryValue } from '../../../params.ts';
import { DocsFrame } from '../../frame.tsx';
import { Attempt } from './attempt.tsx';

type Props = {
  params: Promise<{ code: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** The target of `error_uri`: the attempt, for readers who may see it, and what to check. */
export default async function ErrorDocPage({ params, searchParams }: Props) {
  const { code } = await params;
  if (!Object.hasOwn(errorTable, code)) notFound();
  const requestId = readRequestId(queryValue((await searchParams).request));
  const { checks, clause } = errorDocs[code as ErrorCode];
  return (
    <DocsFrame title={code} text={errorTable[code as ErrorCode].sentence} current="/docs/errors">
      {requestId && <Attempt code={code} requestId={requestId} />}
      <div className="doc-text">
        <h2>{words.checks}</h2>
        <ul>
          {checks.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
        <p>
          {words.clause} {clause}.
        </p>
        <p>
          <a className="gh-link" href="/docs">
            {words.all}
          </a>
        </p>
      </div>
    </DocsFrame>
  );
}
