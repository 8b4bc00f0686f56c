import type { Brand } from '#lib/brand.ts';
import { ourAccent } from '#lib/colours.ts';
import { brandingWords as words } from '#lib/messages/admin/branding.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { ColourPreview } from './colour-preview.tsx';

/** The name of this server and its colour, with a preview. Stands in a card named `look`. */
export function LookFields({ brand }: { brand: Brand }) {
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        optional
        maxLength={40}
        defaultValue={brand.name ?? ''}
      />
      <TextField
        name="accent"
        label={words.accent}
        hint={words.accentHint}
        optional
        maxLength={7}
        spellCheck={false}
        className="max-w-48 font-mono"
        placeholder={ourAccent}
        defaultValue={brand.accent ?? ''}
      />
      <ColourPreview accent={brand.accent ?? ourAccent} />
    </>
  );
}
