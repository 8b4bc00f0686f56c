import type { ClientSettings } from '#lib/oauth/client.ts';
import { pageText } from '../../locale.ts';
import { AreaField, TextField } from '../ui/forms/fields.tsx';

/** The public keys of an app, in one of two fields. */
export async function KeyFields({ jwks, jwksUri }: Pick<ClientSettings, 'jwks' | 'jwksUri'>) {
  const text = await pageText();
  return (
    <>
      <AreaField
        name="jwks"
        label={text('clients.jwks')}
        hint={text('clients.jwksHint')}
        defaultValue={jwks ?? ''}
        optional
        rows={4}
        maxLength={16_384}
      />
      <TextField
        name="jwksUri"
        type="url"
        label={text('clients.jwksUri')}
        hint={text('clients.jwksUriHint')}
        defaultValue={jwksUri ?? ''}
        optional
        maxLength={2000}
      />
    </>
  );
}
