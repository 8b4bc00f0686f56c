import type { Brand } from '#lib/brand.ts';
import { ourAccent } from '#lib/colours.ts';
import { pageText } from '../../../locale.ts';
import { ColourField, TextField } from '../../ui/forms/fields.tsx';
import { ColourPreview } from './colour-preview.tsx';
import type { Look } from './look.ts';

/**
 * The fields for this server's name and colour, with a preview of `look`. Needs a card with the ID
 * `look` around it.
 */
export async function LookFields({ brand, look }: { brand: Brand; look: Look }) {
  const text = await pageText();
  return (
    <>
      <TextField
        name="name"
        label={text('branding.name')}
        hint={text('branding.nameHint')}
        optional
        maxLength={40}
        defaultValue={brand.name ?? ''}
      />
      <ColourField
        name="accent"
        label={text('branding.accent')}
        hint={text('branding.accentHint')}
        optional
        placeholder={ourAccent}
        defaultValue={brand.accent ?? ''}
      />
      <ColourPreview chosen={look.accent} />
    </>
  );
}
