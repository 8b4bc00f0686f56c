import { type Brand, brandLogoHref } from '#lib/brand.ts';
import { issuerHost } from '#lib/http/next.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { showBranding, versionOfBrand } from '#lib/management/branding/branding.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { pageWords } from '../../../ui/own-words.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { AreaField, TextField } from '../../ui/forms/fields.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Kept } from '../../ui/kept.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { SettingsFrame } from '../frame.tsx';
import { dropBrandLogo, saveBranding, saveBrandLogo } from './actions.ts';
import { lookOf } from './look.ts';
import { LookFields } from './look-fields.tsx';
import { ConsentSample, FootSample, SignInSample } from './samples.tsx';
import { ScreensPreview } from './screens-preview.tsx';

/** The name, the colour and the pictures of this server. */
export default async function LookPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/settings/look');
  const text = await pageText();
  const { brand } = await showBranding();
  const look = lookOf(brand, await readParams(searchParams));
  const kept = await isKept('branding', '');
  return (
    <SettingsFrame tab="look" width="wide" kept={kept && 'branding'}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Kept kept={kept}>
            <Card id="look" title={text('branding.look')}>
              <SaveForm
                action={saveBranding}
                seen={versionOfBrand(brand)}
                save={text('branding.save')}
              >
                <LookFields brand={brand} look={look} />
                <TextField
                  name="supportLink"
                  label={text('branding.support')}
                  hint={text('branding.supportHint')}
                  optional
                  maxLength={2000}
                  spellCheck={false}
                  defaultValue={brand.supportLink ?? ''}
                />
                <AreaField
                  name="footerLinks"
                  label={text('branding.links')}
                  hint={text('branding.linksHint')}
                  optional
                  spellCheck={false}
                  defaultValue={brand.footerLinks
                    .map(({ label, href }) => `${label} ${href}`)
                    .join('\n')}
                />
              </SaveForm>
            </Card>
            <Logo brand={brand} />
            <Card
              id="words"
              title={text('words.title')}
              text={text('words.lead')}
              actions={
                <QuickButton kind="secondary" size="small" href="/admin/settings/look/words">
                  {text('words.open')}
                </QuickButton>
              }
            />
          </Kept>
        </div>
        <Card
          id="screens"
          title={text('branding.screensTitle')}
          text={text('branding.screensText')}
        >
          <ScreensPreview
            look={look}
            logo={brandLogoHref(brand)}
            screens={{
              signIn: {
                title: text('branding.screens.signIn'),
                card: (
                  <SignInSample
                    recover={canSendMail()}
                    words={pageWords('sign-in', text.locale)}
                    locale={text.locale}
                  />
                ),
              },
              consent: {
                title: text('branding.screens.consent'),
                card: (
                  <ConsentSample words={pageWords('consent', text.locale)} locale={text.locale} />
                ),
              },
            }}
            foot={<FootSample host={issuerHost()} locale={text.locale} />}
          />
        </Card>
      </div>
    </SettingsFrame>
  );
}

async function Logo({ brand }: { brand: Brand }) {
  const text = await pageText();
  const href = brandLogoHref(brand);
  return (
    <Card id="logo" title={text('branding.logo')} text={text('branding.logoText')}>
      {href && (
        // biome-ignore lint/performance/noImgElement: served as it is; no image is fetched or resized by this server
        <img
          src={href}
          alt={text('branding.logoNow')}
          className="mb-5 max-h-24 max-w-full rounded-lg border border-line bg-surface p-3"
        />
      )}
      <SaveForm action={saveBrandLogo} kind="secondary" save={text('branding.logoSave')}>
        <TextField
          name="logo"
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          label={text('branding.logoFile')}
        />
      </SaveForm>
      {href && (
        <ActionForm action={dropBrandLogo} className="grid gap-3">
          <Confirm
            className="mt-4"
            label={text('branding.logoRemove')}
            text={text('branding.logoRemoveText')}
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
