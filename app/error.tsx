'use client';

import { textIn } from '#lib/messages/text.ts';
import { MessageView } from './ui/views/message.tsx';

/** What a person sees when a page of ours failed. The digest leads to the log line. */
export default function PageFailed({ error }: { error: Error & { digest?: string } }) {
  const text = textIn();
  return (
    <MessageView
      kind="error"
      title={text('error.unexpectedTitle')}
      text={text('error.unexpectedText')}
      requestId={error.digest}
      // The same page again, by a new request.
      action={{ href: '', label: text('error.retry') }}
      secondAction={{ href: '/', label: text('error.home') }}
    />
  );
}
