import { decoded } from '#lib/http/decoded.ts';
import { type Belongings, belongingsOf } from '#lib/management/user/leaving.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { Card } from '../../../../ui/card.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { BelongingsList } from './belongings-list.tsx';
import { LeaveForm } from './leave-form.tsx';

type Props = { params: Promise<{ userId: string }> };

/** What a person who leaves owns, and the form to hand it over. */
export default async function LeavePage({ params }: Props) {
  const me = await guardPage('/admin/people/[userId]/leave');
  const text = await pageText();
  const id = decoded((await params).userId);
  const belongings = await orNotFound(belongingsOf(id, new Date()));
  const { user } = belongings;
  return (
    <AdminPage
      title={text('leave.title', { name: stripBidi(user.username) })}
      text={text('leave.text')}
      up={{ href: `/admin/people/${user.id}`, label: stripBidi(user.username) }}
      width="narrow"
    >
      {user.id === me.user.id && <AdminNotice kind="warning">{text('leave.you')}</AdminNotice>}
      <BelongingsList belongings={belongings} />
      <HandOver belongings={belongings} />
    </AdminPage>
  );
}

async function HandOver({ belongings }: { belongings: Belongings }) {
  const text = await pageText();
  if (belongings.lastAdmin)
    return (
      <AdminNotice kind="warning" title={text('leave.lastAdmin')}>
        {text('leave.lastAdminText')}
      </AdminNotice>
    );
  return (
    <Card id="hand-over" title={text('leave.form')} text={text('leave.formText')}>
      <LeaveForm belongings={belongings} />
    </Card>
  );
}
