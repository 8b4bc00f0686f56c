import { textIn } from '#lib/messages/text.ts';
import { MessageView } from './ui/views/message.tsx';

/** 404. */
export default function NotFound() {
  const text = textIn();
  return (
    <MessageView
      kind="info"
      title={text('notFound.title')}
      text={text('notFound.text')}
      action={{ href: '/', label: text('error.home') }}
    />
  );
}
