import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { trialWords as words } from '#lib/messages/admin/trial.ts';
import { type Api, consentWord } from '#lib/oauth/api.ts';
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
  apis,
  again,
  csrf,
}: {
  client: ClientRecord;
  scopes: readonly Scope[];
  /** Those that the app may ask for. */
  apis: readonly Api[];
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
        {apis.length > 0 && <ApiChoice apis={apis} />}
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

/** The APIs that the request may name, each with its scopes. */
function ApiChoice({ apis }: { apis: readonly Api[] }) {
  return (
    <fieldset>
      <legend className="font-semibold">{words.apis}</legend>
      <p className="mt-1 text-sm text-ink-soft">{words.apisText}</p>
      <div className="mt-2 grid gap-4">
        {apis.map((api) => (
          <div key={api.id} className="grid gap-2">
            <Checkbox
              id={`api-${api.id}`}
              name="api"
              value={api.identifier}
              label={api.name}
              hint={api.identifier}
            />
            <div className="ms-8 grid gap-2 sm:grid-cols-2">
              {api.scopes.map(({ name }) => (
                <Checkbox
                  key={name}
                  id={`api-${api.id}-${name}`}
                  name="api"
                  value={consentWord(api, name)}
                  label={name}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
