import { listApiKeys } from '#lib/management/api-key/keys.ts';
import { requirePermission } from '../../../guards.ts';
import { SettingsFrame } from '../frame.tsx';
import { KeysCard } from './keys-card.tsx';

/** The keys of the API. */
export default async function ApiPage() {
  await requirePermission('see-everything');
  return (
    <SettingsFrame tab="api" width="wide">
      <KeysCard keys={await listApiKeys()} now={new Date()} />
    </SettingsFrame>
  );
}
