import { frameWords } from '#lib/messages/admin/frame.ts';
import { NoticeBox, type NoticeBoxProps } from '../../ui/notice-box.tsx';

/** A message in a box, in the dashboard: in English, on the server and in the browser. */
export function AdminNotice(props: Omit<NoticeBoxProps, 'word'>) {
  return <NoticeBox {...props} word={frameWords.notice[props.kind]} />;
}
