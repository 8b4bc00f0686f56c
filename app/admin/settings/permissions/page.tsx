import { listScopes } from '#lib/management/scope/scopes.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { requirePermission } from '../../../guards.ts';
import { Card } from '../../../ui/card.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { FactList } from '../fact-list.tsx';
import { SettingsFrame } from '../frame.tsx';

/** What apps can ask people for: the facts, and the way to the list. */
export default async function PermissionsPage() {
  await requirePermission('see-everything');
  const scopes = await listScopes();
  const { title, all, byDefault, sensitive, none, manage, approvals } = words.permissions;
  const names = (chosen: typeof scopes) => chosen.map(({ name }) => name).join(', ') || none;
  return (
    <SettingsFrame tab="permissions">
      <Card id="scopes" title={title}>
        <FactList
          facts={[
            [all, String(scopes.length)],
            [byDefault, names(scopes.filter(({ isDefault }) => isDefault))],
            [sensitive, names(scopes.filter((scope) => scope.sensitive))],
          ]}
        />
        <p className="mt-6 flex flex-wrap gap-3">
          <QuickButton kind="secondary" size="small" href="/admin/scopes">
            {manage}
          </QuickButton>
          <QuickButton kind="secondary" size="small" href="/admin/approvals">
            {approvals}
          </QuickButton>
        </p>
      </Card>
    </SettingsFrame>
  );
}
