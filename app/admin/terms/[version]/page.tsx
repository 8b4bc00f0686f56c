import { decoded } from '#lib/http/decoded.ts';
import { isKept } from '#lib/management/kept.ts';
import { showTerms } from '#lib/management/terms/terms.ts';
import { countIn } from '#lib/messages/formats.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import { clientPage } from '../../addresses.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { hrefOf } from '../../ui/href.ts';
import { QuickLink } from '../../ui/quick-link.tsx';
import { stopAsking } from '../actions.ts';
import { TermsTexts } from '../texts.tsx';

type Props = { params: Promise<{ version: string }> };

/** A version: who agreed, its texts, and the button that ends it. */
export default async function OneTermsPage({ params }: Props) {
  await guardPage('/admin/terms/[version]');
  const text = await pageText();
  const terms = await orNotFound(showTerms(decoded((await params).version), new Date()));
  const kept = await isKept('terms', terms.name);
  const { agreed, later, declined, clientId } = terms;
  const counts = { agreed, later, declined };
  return (
    <AdminPage
      title={terms.name}
      heading={
        <span className="flex flex-wrap items-center gap-3">
          {terms.name}
          <Badge>{text(`termsOfUse.states.${terms.state}`)}</Badge>
        </span>
      }
      up="/admin/terms"
      width="narrow"
      kept={kept && 'terms'}
    >
      <Card id="answers" title={text('termsOfUse.answers')}>
        <dl className="mb-4 grid grid-cols-2 gap-4 sm:grid-cols-3">
          <Fact label={text('termsOfUse.columnOf')}>
            {clientId === null ? (
              text('termsOfUse.server')
            ) : (
              <QuickLink className="gh-link" href={clientPage(clientId)}>
                {clientId}
              </QuickLink>
            )}
          </Fact>
          <Fact label={text('termsOfUse.from')}>
            <LocalTime at={terms.holdsFrom} locale={text.locale} />
          </Fact>
          <Fact label={text('termsOfUse.required')}>
            <LocalTime at={terms.requiredFrom} locale={text.locale} />
          </Fact>
          {Object.entries(counts).map(([answer, count]) => (
            <Fact key={answer} label={text(`termsOfUse.${answer as keyof typeof counts}`)}>
              {answer === 'agreed'
                ? text('termsOfUse.agreedOf', { agreed, people: terms.people })
                : countIn(text.locale, count)}
            </Fact>
          ))}
        </dl>
        <ButtonLink
          kind="secondary"
          size="small"
          href={hrefOf('/admin/terms/export', { name: terms.name })}
        >
          {text('table.export')}
        </ButtonLink>
      </Card>
      <Card id="texts" title={text('scopes.description')}>
        <TermsTexts texts={terms.texts} />
      </Card>
      {terms.endedAt === null && !kept && (
        <Card id="end" title={text('termsOfUse.end')} text={text('termsOfUse.endText')}>
          <Confirmed
            action={stopAsking}
            fields={{ terms: terms.name }}
            label={text('termsOfUse.endButton')}
            text={text('termsOfUse.endWhat', { name: terms.name })}
            confirm={text('termsOfUse.endConfirm')}
          />
        </Card>
      )}
    </AdminPage>
  );
}
