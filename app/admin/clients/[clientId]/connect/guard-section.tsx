import type { ClientRecord } from '#lib/management/client/clients.ts';
import { fillGuard, guardTexts } from '#lib/recipes/guard.ts';
import { pageText } from '../../../../locale.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Block } from '../../../../ui/connect/guide-cards.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { clientPage } from '../../../addresses.ts';
import { CheckForm } from './check-form.tsx';

/** What to paste where the proxy of an app runs, and a check of what came of it. */
export async function GuardSection({ client, proxy }: { client: ClientRecord; proxy: string }) {
  const text = await pageText();
  const guards = guardTexts();
  const chosen = guards.find(({ id }) => id === proxy);
  return (
    <>
      <Card id="proxy" title={text('guard.texts')} text={text('guard.textsText')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <form
            action={`${clientPage(client.id)}#proxy`}
            className="grid gap-4 sm:max-w-xl"
            aria-label={text('guard.texts')}
          >
            <Field name="proxy" label={text('guard.proxy')}>
              {(control) => (
                <Select
                  key={chosen?.id}
                  {...control}
                  defaultValue={chosen?.id ?? ''}
                  options={[
                    { value: '', label: text('app.guideNone') },
                    ...guards.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                />
              )}
            </Field>
            <div>
              <Button kind="secondary">{text('app.guideShow')}</Button>
            </div>
          </form>
          {chosen &&
            fillGuard(chosen, client).map((block) => <Block key={block.title} block={block} />)}
          {chosen && (
            <p>
              <a className="gh-link" href={`/docs/guard/${chosen.id}`}>
                {text('guard.more')}
              </a>
            </p>
          )}
        </div>
      </Card>
      <Card id="check" title={text('guard.check')} text={text('guard.checkText')}>
        <CheckForm clientId={client.id} />
      </Card>
    </>
  );
}
