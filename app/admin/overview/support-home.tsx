import { listLockedOut } from '#lib/management/overview.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ListSearch } from '../ui/list-search.tsx';
import { QuickButton } from '../ui/quick-link.tsx';
import { AttentionList } from './attention-list.tsx';

/** The home page of support staff: the people who need help. */
export async function SupportHome() {
  const text = await pageText();
  const attention = await listLockedOut(new Date());
  return (
    <AdminPage
      title={text('start.title')}
      text={text('start.support')}
      actions={
        <QuickButton kind="secondary" href="/admin/people/invite">
          {text('people.invite')}
        </QuickButton>
      }
    >
      <ListSearch
        action="/admin/people"
        label={text('people.search')}
        placeholder={text('people.searchHint')}
        query=""
        filters={[]}
      />
      {attention.stopped.length > 0 && (
        <Card id="attention" title={text('overview.attention')}>
          <AttentionList attention={attention} />
        </Card>
      )}
    </AdminPage>
  );
}
