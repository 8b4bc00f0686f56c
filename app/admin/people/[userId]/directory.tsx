import { directories } from '#lib/identity/directory/configured.ts';
import type { Person } from '#lib/management/user/person.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { linkToDirectory, unlinkFromDirectory } from '../../directories/actions.ts';
import { Fact } from '../../ui/fact.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Confirmed } from '../../ui/forms/confirmed.tsx';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';

/**
 * The directory the person comes from, or a form to link them to an entry there. Nothing if there
 * is no directory.
 */
export async function DirectoryCard({ person, mayLink }: { person: Person; mayLink: boolean }) {
  const text = await pageText();
  const { user, directory } = person;
  const all = directories();
  if (directory) return <Linked person={person} directory={directory} />;
  if (all.length === 0 || !mayLink) return null;
  return (
    <Card id="directory" title={text('directories.ofPerson')} text={text('directories.linkText')}>
      <ActionForm action={linkToDirectory} className="grid max-w-2xl gap-5">
        <Hidden fields={{ id: user.id }} />
        <SelectField
          name="directory"
          label={text('directories.one')}
          options={all.map(({ id, name }) => ({ value: id, label: stripBidi(name) }))}
        />
        <TextField
          name="login"
          label={text('directories.login')}
          hint={text('directories.loginHint')}
          asTyped
          maxLength={320}
          required
        />
        <Confirm
          label={text('directories.link')}
          text={text('directories.linkWhat', { name: stripBidi(user.username) })}
        >
          <Submit kind="danger" size="small">
            {text('directories.linkConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}

type LinkedProps = { person: Person; directory: NonNullable<Person['directory']> };

async function Linked({ person: { user }, directory }: LinkedProps) {
  const text = await pageText();
  const { name, dn, lastSeenAt, disabledByIt } = directory;
  return (
    <Card
      id="directory"
      title={text('directories.ofPerson')}
      text={text('directories.ofPersonText', { name: stripBidi(name) })}
    >
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={text('directories.entry')}>
          <UserText className="font-mono text-sm wrap-anywhere" text={dn} />
        </Fact>
        <Fact label={text('directories.lastSeen')}>
          <When locale={text.locale} at={lastSeenAt} />
          {disabledByIt && <span className="block">{text('directories.disabledByIt')}</span>}
        </Fact>
      </dl>
      <Confirmed
        action={unlinkFromDirectory}
        adds
        className="mt-5"
        fields={{ id: user.id }}
        label={text('directories.unlink')}
        text={text('directories.unlinkText', { name: stripBidi(user.username) })}
        confirm={text('directories.unlinkConfirm')}
      />
    </Card>
  );
}
