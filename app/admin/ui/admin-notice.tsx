'use client';

import { useText } from '../../ui/browser-text.tsx';
import { NoticeBox, type NoticeBoxProps } from '../../ui/notice-box.tsx';

/** A message in a box, in the dashboard. */
export function AdminNotice(props: Omit<NoticeBoxProps, 'word'>) {
  const text = useText();
  return <NoticeBox {...props} word={text(`frame.notice.${props.kind}`)} />;
}
