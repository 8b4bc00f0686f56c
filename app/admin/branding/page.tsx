import { type Brand, brandLogoHref } from '#lib/brand.ts';
import { showBranding } from '#lib/management/branding.ts';
import { brandingWords as words } from '#lib/messages/admin/branding.ts';
import { requireAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { AreaField, TextField } from '../ui/forms/fields.tsx';
import { Seen } from '../ui/forms/seen.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { dropBrandLogo, saveBranding, saveBrandLogo } from './actions.ts';
import { ColourPreview } from './colour-preview.tsx';

const ourAccent = '#0b6354';

export default async function BrandingPage() {
  await requireAdmin();
  const { brand, stored } = await showBranding();
  return (
    <AdminPage title={words.title} text={words.lead}>
      <Card id="look" className="max-w-3xl" title={words.look}>
        <ActionForm action={saveBranding}>
          <Seen value={stored} />
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
          <TextField
            name="supportLink"
            label={words.support}
            hint={words.supportHint}
            optional
            maxLength={2000}
            spellCheck={false}
            defaultValue={brand.supportLink ?? ''}
          />
          <AreaField
            name="footerLinks"
            label={words.links}
            hint={words.linksHint}
            optional
            spellCheck={false}
            defaultValue={brand.footerLinks.map(({ label, href }) => `${label} ${href}`).join('\n')}
          />
          <div>
            <Submit>{words.save}</Submit>
          </div>
        </ActionForm>
      </Card>
      <Logo brand={brand} />
    </AdminPage>
  );
}

function Logo({ brand }: { brand: Brand }) {
  const href = brandLogoHref(brand);
  return (
    <Card id="logo" className="max-w-3xl" title={words.logo} text={words.logoText}>
      {href && (
        // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
        <img
          src={href}
          alt={words.logoNow}
          className="mb-5 max-h-24 max-w-full rounded-lg border border-line bg-surface p-3"
        />
      )}
      <ActionForm action={saveBrandLogo}>
        <TextField
          name="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          label={words.logoFile}
          className="max-w-md cursor-pointer"
        />
        <div>
          <Submit kind="secondary">{words.logoSave}</Submit>
        </div>
      </ActionForm>
      {href && (
        <ActionForm action={dropBrandLogo} className="grid gap-3">
          <Confirm className="mt-4" label={words.logoRemove} text={words.logoRemoveText}>
            <Submit kind="danger" size="small">
              {words.logoRemoveConfirm}
            </Submit>
          </Confirm>
        </ActionForm>
      )}
    </Card>
  );
}
