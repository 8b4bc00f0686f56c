import { listApiKeys } from '#lib/management/api-key/keys.ts';
import { guardPage } from '../../../guards.ts';
import { SettingsFrame } from '../frame.tsx';
import { KeysCard } from './keys-card.tsx';

/** The keys of the API. */
export default async function ApiPage() {
  await guardPage('/admin/settings/api');
  return (
    <SettingsFrame tab="api" width="wide">
      <KeysCard keys={await listApiKeys()} now={new Date()} />
    </SettingsFrame>
  );
}
