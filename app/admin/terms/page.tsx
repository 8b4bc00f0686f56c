import { keptOf } from '#lib/management/kept.ts';
import { listTerms, type Terms } from '#lib/management/terms/terms.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { termsPage } from '../addresses.ts';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { List } from '../ui/table/list.tsx';

/** All versions of terms of use, and how many people have agreed to each. */
export default async function TermsPage() {
  await guardPage('/admin/terms');
  const text = await pageText();
  const terms = await listTerms(new Date());
  const kept = await keptOf('terms');
  const add = (
    <QuickButton size="small" href="/admin/terms/new">
      {text('termsOfUse.add')}
    </QuickButton>
  );
  return (
    <List
      title={text('termsOfUse.title')}
      text={text('termsOfUse.lead')}
      actions={terms.length > 0 && add}
      path="/admin/terms"
      query={{}}
      search={text('termsOfUse.title')}
      caption={text('termsOfUse.title')}
      columns={[
        { key: 'name', label: text('termsOfUse.columnName') },
        { key: 'whose', label: text('termsOfUse.columnOf'), phone: 'line' },
        { key: 'state', label: text('termsOfUse.columnState') },
        { key: 'from', label: text('termsOfUse.from'), phone: 'none' },
        { key: 'required', label: text('termsOfUse.required'), phone: 'none' },
        { key: 'agreed', label: text('termsOfUse.agreed') },
      ]}
      list={{ total: { count: terms.length, more: false }, page: 1 }}
      rows={terms.map((each) => ({ key: each.id, cells: cellsOf(text, each, kept) }))}
      empty={<EmptyState icon="book" title={text('termsOfUse.empty')} action={add} />}
    />
  );
}

function cellsOf(text: Text, terms: Terms, kept: ReadonlySet<string>) {
  const { name, clientId, state, holdsFrom, requiredFrom, agreed, people } = terms;
  return {
    name: (
      <QuickLink className="gh-name" href={termsPage(name)}>
        {name}
      </QuickLink>
    ),
    whose: clientId ?? text('termsOfUse.server'),
    state: (
      <div className="flex flex-wrap gap-1.5">
        <Badge tone={state === 'required' || state === 'asked' ? 'accent' : undefined}>
          {text(`termsOfUse.states.${state}`)}
        </Badge>
        {kept.has(name) && <KeptBadge />}
      </div>
    ),
    from: <LocalTime at={holdsFrom} locale={text.locale} />,
    required: <LocalTime at={requiredFrom} locale={text.locale} />,
    agreed: text('termsOfUse.agreedOf', { agreed, people }),
  };
}
