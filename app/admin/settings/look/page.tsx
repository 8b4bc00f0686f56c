import { issuerHost } from '#lib/http/next.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { showBranding, versionOfLook } from '#lib/management/branding/branding.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { pageWords } from '../../../ui/own-words.tsx';
import { AreaField, TextField } from '../../ui/forms/fields.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Kept } from '../../ui/kept.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { SettingsFrame } from '../frame.tsx';
import { saveBranding } from './actions.ts';
import { lookOf } from './look.ts';
import { LookFields } from './look-fields.tsx';
import { PictureCards } from './picture-cards.tsx';
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
                seen={versionOfLook(brand)}
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
            <PictureCards brand={brand} />
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
            brand={brand}
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
