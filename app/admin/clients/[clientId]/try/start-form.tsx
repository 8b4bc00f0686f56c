import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { type Api, consentWord } from '#lib/oauth/api.ts';
import { pageText } from '../../../../locale.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { Select } from '../../../../ui/select.tsx';

const usual = ['openid', 'profile', 'email'];

/** Starts a trial. A plain form, so that the browser goes where the app would send it. */
export async function StartForm({
  client,
  scopes,
  apis,
  again,
  csrf,
}: {
  client: ClientRecord;
  scopes: readonly Scope[];
  /** The APIs that the app may ask for. */
  apis: readonly Api[];
  again: boolean;
  csrf: string;
}) {
  const text = await pageText();
  return (
    <Card
      id="start"
      title={again ? text('trial.again') : text('trial.start')}
      text={text('trial.real')}
    >
      <form
        method="post"
        action="/admin/try/submit"
        className="grid gap-5"
        aria-label={text('trial.start')}
      >
        <Hidden fields={{ csrf, client: client.id }} />
        {client.redirectUris.length > 1 && (
          <Field name="redirect_uri" label={text('trial.redirect')}>
            {(control) => (
              <Select
                {...control}
                options={client.redirectUris.map((uri) => ({ value: uri, label: uri }))}
              />
            )}
          </Field>
        )}
        <fieldset>
          <legend className="font-semibold">{text('trial.scopes')}</legend>
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
        <p className="text-sm text-ink-soft">{text('trial.noSecret')}</p>
        <div>
          <Button kind={again ? 'secondary' : 'primary'}>
            {again ? text('trial.again') : text('trial.start')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** The APIs that the request can name, each with its scopes. */
async function ApiChoice({ apis }: { apis: readonly Api[] }) {
  const text = await pageText();
  return (
    <fieldset>
      <legend className="font-semibold">{text('trial.apis')}</legend>
      <p className="mt-1 text-sm text-ink-soft">{text('trial.apisText')}</p>
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
