import { textIn } from '#lib/messages/text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Field } from '../ui/field.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Input } from '../ui/input.tsx';
import type { Refused, ScreenProps } from '../ui/view-models.ts';

type DeviceProps = ScreenProps &
  Refused<'user_code'> & {
    csrf: string;
    /** The initial value of the field. */
    code: string;
  };

export function DeviceView({ csrf, code, error, fieldErrors = {}, host, locale }: DeviceProps) {
  const text = textIn(locale);
  const title = text('device.title');
  return (
    <Gate
      title={title}
      refused={Boolean(error || fieldErrors.user_code)}
      host={host}
      locale={locale}
    >
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">{text('device.text')}</p>
      <form method="post" action="/device/submit" className="grid gap-4">
        <Hidden fields={{ csrf }} />
        <ErrorNotice error={error} locale={locale} />
        <Field
          name="user_code"
          label={text('device.code')}
          hint={text('device.codeHint')}
          error={fieldErrors.user_code}
        >
          {(control) => (
            <Input
              {...control}
              required
              defaultValue={code}
              dir="ltr"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              maxLength={80}
              autoFocus
              className="font-mono text-lg tracking-widest uppercase"
            />
          )}
        </Field>
        <Button wide className="mt-2">
          {text('device.submit')}
        </Button>
      </form>
    </Gate>
  );
}
