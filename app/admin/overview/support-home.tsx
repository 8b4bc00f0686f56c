import { listLockedOut } from '#lib/management/overview.ts';
import { homeWords as words } from '#lib/messages/admin/home.ts';
import { overviewWords } from '#lib/messages/admin/overview.ts';
import { peopleWords } from '#lib/messages/admin/people.ts';
import { Card } from '../../ui/card.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ListSearch } from '../ui/list-search.tsx';
import { QuickButton } from '../ui/quick-link.tsx';
import { AttentionList } from './attention-list.tsx';

/** Home of support: who needs help. */
export async function SupportHome() {
  const attention = await listLockedOut(new Date());
  return (
    <AdminPage
      title={words.title}
      text={words.support}
      actions={
        <QuickButton kind="secondary" href="/admin/people/invite">
          {peopleWords.invite}
        </QuickButton>
      }
    >
      <ListSearch
        action="/admin/people"
        label={peopleWords.search}
        placeholder={peopleWords.searchHint}
        query=""
        filters={[]}
      />
      {attention.stopped.length > 0 && (
        <Card id="attention" title={overviewWords.attention}>
          <AttentionList attention={attention} />
        </Card>
      )}
    </AdminPage>
  );
}
