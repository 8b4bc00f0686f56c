import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { TermsAnswerRecord } from '#lib/store/terms.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { rich } from '../../ui/rich.tsx';

type OwnDataProps = {
  csrf: string;
  /** The period for which the file includes activity. */
  days: string;
  format: 'html' | 'json';
  asking: PageAsking | null;
  agreed: readonly Pick<TermsAnswerRecord, 'termsId' | 'name' | 'at'>[];
  locale: Locale;
};

/** What is in the file, and the form to download it. */
export function OwnDataView({ csrf, days, format, asking, agreed, locale }: OwnDataProps) {
  const text = textIn(locale);
  return (
    <>
      <Card title={text('data.what')}>
        <ul className="grid list-disc gap-1 ps-5">
          <li>{text('data.whatProfile')}</li>
          <li>{text('data.whatSignIn')}</li>
          <li>{text('data.whatApps')}</li>
          <li>{text('data.whatActivity', { days })}</li>
        </ul>
        <p className="mt-4 text-ink-soft">{text('data.not')}</p>
      </Card>
      <Card id="download" title={text('data.form')} text={text('data.formText')}>
        <FreshForm
          id="download"
          action="/account/your-data/submit"
          fields={{ csrf }}
          asking={asking}
          submit={<Button>{text('data.submit')}</Button>}
          locale={locale}
        >
          <fieldset className="grid gap-3">
            <legend className="sr-only">{text('data.format')}</legend>
            <Checkbox
              type="radio"
              name="format"
              id="format-html"
              value="html"
              defaultChecked={format === 'html'}
              label={text('data.formatPage')}
              hint={text('data.formatPageHint')}
            />
            <Checkbox
              type="radio"
              name="format"
              id="format-json"
              value="json"
              defaultChecked={format === 'json'}
              label={text('data.formatJson')}
              hint={text('data.formatJsonHint')}
            />
          </fieldset>
        </FreshForm>
      </Card>
      {agreed.length > 0 && (
        <Card title={text('terms.title')}>
          <ul className="grid list-disc gap-1 ps-5">
            {agreed.map(({ termsId, name, at }) => (
              <li key={termsId}>
                {rich(
                  'terms.agreedOn',
                  { name, date: <LocalTime at={at} locale={locale} /> },
                  locale,
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
