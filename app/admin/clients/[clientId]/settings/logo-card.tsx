import type { ClientRecord } from '#lib/management/client/clients.ts';
import { pictureOf } from '#lib/store/logos.ts';
import { pageText } from '../../../../locale.ts';
import { AppMark } from '../../../../ui/app-mark.tsx';
import { Card } from '../../../../ui/card.tsx';
import { FileField } from '../../../ui/forms/file-field.tsx';
import { SaveForm } from '../../../ui/forms/save-form.tsx';
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
          <SaveForm
            action={saveLogo}
            label={text('clients.logo')}
            className="grid gap-4"
            fields={{ client: client.id }}
            kind="secondary"
            save={text('clients.logoSave')}
          >
            <FileField
              name="logo"
              label={text('clients.logoFile')}
              hint={text('clients.logoHint')}
              accept="image/png,image/jpeg,image/webp,image/gif"
            />
          </SaveForm>
          {client.logo && (
            <SaveForm
              action={removeLogo}
              label={text('clients.logoRemove')}
              className="grid gap-3"
              fields={{ client: client.id }}
              kind="quiet"
              size="small"
              save={text('clients.logoRemove')}
            />
          )}
        </div>
      </div>
    </Card>
  );
}
