import { type Brand, type BrandPicture, brandPictureHref } from '#lib/brand.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import {
  dropBrandLogo,
  dropDarkLogo,
  dropIcon,
  saveBrandLogo,
  saveDarkLogo,
  saveIcon,
} from './actions.ts';

/** The pictures of this server. A dark logo is beside another one. */
export function PictureCards({ brand }: { brand: Brand }) {
  return (
    <>
      <PictureCard brand={brand} which="logo" save={saveBrandLogo} drop={dropBrandLogo} />
      {brand.logo && (
        <PictureCard brand={brand} which="darkLogo" save={saveDarkLogo} drop={dropDarkLogo} />
      )}
      <PictureCard brand={brand} which="icon" save={saveIcon} drop={dropIcon} />
    </>
  );
}

type Props = {
  brand: Brand;
  which: BrandPicture;
  save: typeof saveBrandLogo;
  drop: typeof dropBrandLogo;
};

async function PictureCard({ brand, which, save, drop }: Props) {
  const text = await pageText();
  const href = brandPictureHref(brand[which]);
  const ground = which === 'darkLogo' ? 'bg-[#141312]' : 'bg-surface';
  return (
    <Card id={which} title={text(`branding.${which}`)} text={text(`branding.${which}Text`)}>
      {href && (
        // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
        <img
          src={href}
          alt={text(`branding.${which}Now`)}
          className={`mb-5 max-h-24 max-w-full rounded-lg border border-line ${ground} p-3`}
        />
      )}
      <SaveForm action={save} kind="secondary" save={text('branding.logoSave')}>
        <TextField
          name="logo"
          id={`${which}-file`}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          label={text('branding.logoFile')}
        />
      </SaveForm>
      {href && (
        <ActionForm action={drop} className="grid gap-3">
          <Confirm
            className="mt-4"
            label={text(`branding.${which}Remove`)}
            text={text(`branding.${which}RemoveText`)}
          >
            <Submit kind="danger" size="small">
              {text('branding.logoRemoveConfirm')}
            </Submit>
          </Confirm>
        </ActionForm>
      )}
    </Card>
  );
}
