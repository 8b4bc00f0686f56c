import type { ClientRecord } from '#lib/management/clients.ts';
import type { Scope } from '#lib/management/scopes.ts';
import { trialWords as words } from '#lib/messages/admin/trial.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { Select } from '../../../../ui/select.tsx';

const usual = ['openid', 'profile', 'email'];

/** What the trial asks for. A plain form: the browser then goes where the app would send it. */
export function StartForm({
  client,
  scopes,
  again,
  csrf,
}: {
  client: ClientRecord;
  scopes: readonly Scope[];
  again: boolean;
  csrf: string;
}) {
  return (
    <Card id="start" title={again ? words.again : words.start} text={words.real}>
      <form
        method="post"
        action="/admin/try/submit"
        className="grid gap-5"
        aria-label={words.start}
      >
        <Hidden fields={{ csrf, client: client.id }} />
        {client.redirectUris.length > 1 && (
          <Field name="redirect_uri" label={words.redirect}>
            {(control) => (
              <Select
                {...control}
                options={client.redirectUris.map((uri) => ({ value: uri, label: uri }))}
              />
            )}
          </Field>
        )}
        <fieldset>
          <legend className="font-semibold">{words.scopes}</legend>
          <div className="mt-2 grid gap-2 sm:grid-cols-2">
            {scopes.map(({ name }) => (
              <Checkbox
                key={name}
                id={`scope-${name}`}
                name="scope"
                value={name}
                label={name}
                defaultChecked={usual.includes(name)}
              />
            ))}
          </div>
        </fieldset>
        <p className="text-sm text-ink-soft">{words.noSecret}</p>
        <div>
          <Button kind={again ? 'secondary' : 'primary'}>
            {again ? words.again : words.start}
          </Button>
        </div>
      </form>
    </Card>
  );
}
