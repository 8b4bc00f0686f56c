import type { ClientRecord } from '#lib/management/client/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { logoAt } from '#lib/store/logos.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { FileField } from '../../../ui/forms/file-field.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { removeLogo, saveLogo } from '../../actions.ts';

/** The picture of a client, uploaded on its own. */
export function LogoCard({ client }: { client: ClientRecord }) {
  return (
    <Card id="picture" title={words.logo} text={words.logoText}>
      <div className="flex flex-wrap items-start gap-6">
        <Avatar
          name={client.name}
          image={logoAt(client.id, client.logo)}
          shape="square"
          className="size-20 text-3xl"
        />
        <div className="grid min-w-0 flex-1 basis-64 gap-4">
          <ActionForm action={saveLogo} label={words.logo} className="grid gap-4">
            <Hidden fields={{ client: client.id }} />
            <FileField
              name="logo"
              label={words.logoFile}
              hint={words.logoHint}
              accept="image/png,image/jpeg,image/webp,image/gif"
            />
            <div>
              <Submit kind="secondary">{words.logoSave}</Submit>
            </div>
          </ActionForm>
          {client.logo && (
            <ActionForm action={removeLogo} label={words.logoRemove} className="grid gap-3">
              <Hidden fields={{ client: client.id }} />
              <div>
                <Submit kind="quiet" size="small">
                  {words.logoRemove}
                </Submit>
              </div>
            </ActionForm>
          )}
        </div>
      </div>
    </Card>
  );
}
