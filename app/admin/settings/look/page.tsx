import { type Brand, brandLogoHref } from '#lib/brand.ts';
import { issuerHost } from '#lib/http/next.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { showBranding, versionOfBrand } from '#lib/management/branding/branding.ts';
import { isKept } from '#lib/management/kept.ts';
import { brandingWords as words } from '#lib/messages/admin/branding.ts';
import { requirePermission } from '../../../guards.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { AreaField, TextField } from '../../ui/forms/fields.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Kept } from '../../ui/kept.tsx';
import { SettingsFrame } from '../frame.tsx';
import { dropBrandLogo, saveBranding, saveBrandLogo } from './actions.ts';
import { LookFields } from './look-fields.tsx';
import { ConsentSample, FootSample, SignInSample } from './samples.tsx';
import { ScreensPreview } from './screens-preview.tsx';

export default async function LookPage() {
  await requirePermission('see-everything');
  const { brand } = await showBranding();
  const kept = await isKept('branding', '');
  return (
    <SettingsFrame tab="look" width="wide" kept={kept && 'branding'}>
      <Kept kept={kept}>
        <Card id="look" className="max-w-3xl" title={words.look}>
          <ActionForm action={saveBranding}>
            <Seen value={versionOfBrand(brand)} />
            <LookFields brand={brand} />
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
              defaultValue={brand.footerLinks
                .map(({ label, href }) => `${label} ${href}`)
                .join('\n')}
            />
            <div>
              <Submit>{words.save}</Submit>
            </div>
          </ActionForm>
        </Card>
        <Logo brand={brand} />
      </Kept>
      <Card id="screens" title={words.screensTitle} text={words.screensText}>
        <ScreensPreview
          name={brand.name ?? ''}
          accent={brand.accent ?? ''}
          logo={brandLogoHref(brand)}
          screens={{
            signIn: <SignInSample recover={canSendMail()} />,
            consent: <ConsentSample />,
          }}
          foot={<FootSample host={issuerHost()} />}
        />
      </Card>
    </SettingsFrame>
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
