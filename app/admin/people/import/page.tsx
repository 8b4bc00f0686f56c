import { canSendMail } from '#lib/mail/post.ts';
import { may } from '#lib/people/roles.ts';
import { mostPending } from '#lib/store/links.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { AreaField } from '../../ui/forms/fields.tsx';
import { FileField } from '../../ui/forms/file-field.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { readPeople } from './actions.ts';

/** The maximum number of characters in the form's text; longer lists have to be files. */
const mostPasted = 7000;

/** Invites people by pasting or uploading addresses or a table. */
export default async function ImportPage() {
  const { user } = await guardPage('/admin/people/import');
  const text = await pageText();
  return (
    <AdminPage
      title={text('import.title')}
      text={text('import.lead')}
      up="/admin/people"
      width="narrow"
    >
      {!canSendMail() && (
        <AdminNotice kind="info">{text('import.noMail', { most: mostPending })}</AdminNotice>
      )}
      <Card>
        <SaveForm
          need="help-people"
          action={readPeople}
          label={text('import.paste')}
          save={text('import.next')}
        >
          <AreaField
            name="list"
            label={text('import.paste')}
            hint={text('import.pasteHint')}
            rows={8}
            maxLength={mostPasted}
            spellCheck={false}
            required
          />
        </SaveForm>
      </Card>
      <Card>
        <SaveForm
          need="help-people"
          action={readPeople}
          label={text('import.file')}
          kind="secondary"
          save={text('import.next')}
        >
          <FileField
            name="file"
            label={text('import.file')}
            hint={text('import.fileHint')}
            accept=".csv,.tsv,.txt,text/csv,text/plain"
          />
        </SaveForm>
      </Card>
      {may(user.role, 'admin') && (
        <p>
          <QuickLink className="gh-link" href="/admin/people/import/program">
            {text('move.link')}
          </QuickLink>
        </p>
      )}
    </AdminPage>
  );
}
