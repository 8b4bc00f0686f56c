import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pictureOf } from '#lib/store/logos.ts';
import { pageText } from '../../../../locale.ts';
import { AppMark } from '../../../../ui/app-mark.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { FileField } from '../../../ui/forms/file-field.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { removeLogo, saveLogo } from '../../actions.ts';

/** The picture of a client, which is uploaded separately. */
export async function LogoCard({ client }: { client: ClientRecord }) {
  const text = await pageText();
  return (
    <Card id="picture" title={text('clients.logo')} text={text('clients.logoText')}>
      <div className="flex flex-wrap items-start gap-6">
        <AppMark
          id={client.id}
          name={client.name}
          image={pictureOf(client)}
          className="size-20 text-3xl"
        />
        <div className="grid min-w-0 flex-1 basis-64 gap-4">
          <ActionForm action={saveLogo} label={text('clients.logo')} className="grid gap-4">
            <Hidden fields={{ client: client.id }} />
            <FileField
              name="logo"
              label={text('clients.logoFile')}
              hint={text('clients.logoHint')}
              accept="image/png,image/jpeg,image/webp,image/gif"
            />
            <div>
              <Submit kind="secondary">{text('clients.logoSave')}</Submit>
            </div>
          </ActionForm>
          {client.logo && (
            <ActionForm
              action={removeLogo}
              label={text('clients.logoRemove')}
              className="grid gap-3"
            >
              <Hidden fields={{ client: client.id }} />
              <div>
                <Submit kind="quiet" size="small">
                  {text('clients.logoRemove')}
                </Submit>
              </div>
            </ActionForm>
          )}
        </div>
      </div>
    </Card>
  );
}
