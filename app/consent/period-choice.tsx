import { periodIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { ConsentPeriod } from '#lib/oauth/consent-period.ts';
import { Checkbox } from '../ui/checkbox.tsx';

type Props = {
  /** The lifetime of an access token in seconds. */
  life: number;
  locale: Locale;
};

/** The choice of how long an app has access. */
export function PeriodChoice({ life, locale }: Props) {
  const text = textIn(locale);
  const choices: { value: ConsentPeriod; label: string; hint?: string }[] = [
    { value: 'until-removed', label: text('consent.periodUntilRemoved') },
    { value: 'month', label: text('consent.periodMonth') },
    {
      value: 'once',
      label: text('consent.periodOnce'),
      hint: text('consent.periodOnceHint', { time: periodIn(locale, life) }),
    },
  ];
  return (
    <fieldset className="mb-5 grid gap-2.5">
      <legend className="mb-2.5 text-sm font-semibold text-ink-soft">
        {text('consent.period')}
      </legend>
      {choices.map(({ value, label, hint }, index) => (
        <Checkbox
          key={value}
          type="radio"
          name="period"
          id={`period-${value}`}
          value={value}
          label={label}
          hint={hint}
          defaultChecked={index === 0}
        />
      ))}
    </fieldset>
  );
}
