import type { ReactNode } from 'react';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import type { Action } from './forms/action-form.tsx';
import { Confirmed } from './forms/confirmed.tsx';

type Props = {
  /** The part of the catalogue with its messages. */
  room: 'apis' | 'fields' | 'groups' | 'providers' | 'scopes';
  action: Action;
  fields: Record<string, string>;
  text: ReactNode;
};

/** The card by which something is removed for good. */
export async function Removal({ room, ...act }: Props) {
  const text = await pageText();
  return (
    <Card id="remove" title={text(`${room}.remove`)} text={text(`${room}.removeText`)}>
      <Confirmed
        {...act}
        label={text(`${room}.removeButton`)}
        confirm={text(`${room}.removeConfirm`)}
      />
    </Card>
  );
}
