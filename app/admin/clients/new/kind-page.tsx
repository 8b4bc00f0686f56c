import type { ClientKind } from '#lib/management/client/client-kinds.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { answerField } from '../../../ui/connect/answer-field.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { AccessQuestion } from './access-question.tsx';
import type { Carried } from './carried.ts';
import { ConnectForm } from './connect-form.tsx';
import { StateHeader } from './frame.tsx';
import { KindChoice } from './kind-choice.tsx';
import { KindFields, notForServices } from './kind-fields.tsx';
import { OtherChoice } from './other-choice.tsx';
import { StrengthQuestion } from './strength-question.tsx';

type Props = { kind: ClientKind; id: string; carried: Carried };

/**
 * For apps without a recipe. The form has the fields of all kinds and shows those of the chosen
 * one.
 */
export async function KindPage({ kind, id, carried }: Props) {
  const text = await pageText();
  const ownScopes = (await listScopes()).filter((scope) => !scope.builtIn);
  const homePage = carried.homePage ?? carried[answerField('address')] ?? '';
  return (
    <div className="max-w-3xl">
      <ConnectForm className="grid grid-cols-[minmax(0,1fr)] *:data-refusal:mb-4">
        <StateHeader title={text('connect.kindTitle')} text={text('connect.kindLead')} />
        <Card>
          <div className="group/kind grid gap-5">
            <Hidden fields={{ id }} />
            <KindChoice initial={kind} />
            <TextField
              name="name"
              label={text('clients.name')}
              hint={text('connect.nameHint')}
              defaultValue={carried.name}
              required
              maxLength={100}
            />
            <KindFields
              initial={{ redirectUris: carried.redirectUris ?? '', homePage }}
              ownScopes={ownScopes.map(({ name, description }) => ({ name, description }))}
            />
            <StrengthQuestion />
            <div className={notForServices}>
              <AccessQuestion />
            </div>
            <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
              <Submit>{text('connect.create')}</Submit>
              <OtherChoice />
            </div>
          </div>
        </Card>
      </ConnectForm>
    </div>
  );
}
