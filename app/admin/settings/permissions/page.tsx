import { listScopes } from '#lib/management/scope/scopes.ts';
import { countIn } from '#lib/messages/formats.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { SettingsFrame } from '../frame.tsx';

/** What apps can ask people for: a summary, and a link to the list. */
export default async function PermissionsPage() {
  await guardPage('/admin/settings/permissions');
  const scopes = await listScopes();
  const text = await pageText();
  const names = (chosen: typeof scopes) =>
    chosen.map(({ name }) => name).join(', ') || text('settings.permissions.none');
  return (
    <SettingsFrame tab="permissions">
      <Card id="scopes" title={text('settings.permissions.title')}>
        <FactList
          facts={[
            [text('settings.permissions.all'), countIn(text.locale, scopes.length)],
            [
              text('settings.permissions.byDefault'),
              names(scopes.filter(({ isDefault }) => isDefault)),
            ],
            [
              text('settings.permissions.sensitive'),
              names(scopes.filter((scope) => scope.sensitive)),
            ],
          ]}
        />
        <p className="mt-6 flex flex-wrap gap-3">
          <QuickButton kind="secondary" size="small" href="/admin/scopes">
            {text('settings.permissions.manage')}
          </QuickButton>
          <QuickButton kind="secondary" size="small" href="/admin/approvals">
            {text('settings.permissions.approvals')}
          </QuickButton>
        </p>
      </Card>
    </SettingsFrame>
  );
}
