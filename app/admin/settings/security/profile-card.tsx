import { findTooWeak } from '#lib/management/client/strength.ts';
import type { SettingRecord } from '#lib/management/setting/settings.ts';
import { listIn } from '#lib/messages/format.ts';
import { profiles } from '#lib/oauth/settings.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { stripBidi } from '../../../ui/user-text.tsx';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { SeenAs } from '../../ui/forms/seen.tsx';

/** The choice of a profile, and what it changes. */
export async function ProfileCard({
  profile,
  details,
}: {
  profile: SettingRecord;
  details: readonly SettingRecord[];
}) {
  const text = await pageText();
  const legend = text('settings.profile.legend');
  const about = text('settings.profile.text');
  if (profile.fixed)
    return (
      <Card id="profile" title={legend} text={about}>
        <p>
          <strong>{text(`settings.profile.${nameOf(profile)}.label`)}</strong>.{' '}
          {profile.source === 'file'
            ? text('kept.refused.setting')
            : text('settings.profile.fixed', {
                name: profile.name,
                other: profile.value === 'interface' ? 'strict' : 'interface',
              })}
        </p>
      </Card>
    );
  return (
    <Card id="profile" title={legend} text={about}>
      <SeenAs name="seen.profile" value={profile.stored} />
      <ChoiceField
        name="profile"
        legend={<span className="sr-only">{legend}</span>}
        initial={[profile.stored]}
        options={[
          // Keeps the stored value unchanged if the user chooses nothing else.
          {
            value: profile.stored === 'interface' ? 'interface' : '',
            label: text('settings.profile.interface.label'),
            hint: text('settings.profile.interface.hint'),
          },
          {
            value: 'strict',
            label: text('settings.profile.strict.label'),
            hint: text('settings.profile.strict.hint'),
          },
          {
            value: 'fapi',
            label: text('settings.profile.fapi.label'),
            hint: text('settings.profile.fapi.hint'),
          },
        ]}
      />
      <TooWeakApps isFapi={profile.value === 'fapi'} />
      {profile.value !== 'fapi' && (
        <Changes isStrict={profile.value === 'strict'} details={details} />
      )}
    </Card>
  );
}

/** The apps that do not work in the FAPI 2.0 profile, or would not. */
async function TooWeakApps({ isFapi }: { isFapi: boolean }) {
  const { count, names } = await findTooWeak({ requireStrongClients: true });
  if (count === 0) return null;
  const text = await pageText();
  const listed = listIn(
    text.locale,
    names.map((name) => stripBidi(name)),
  );
  return (
    <p id="too-weak" className="mt-4 text-sm wrap-anywhere text-ink-soft">
      {text(isFapi ? 'settings.profile.fapi.stopped' : 'settings.profile.fapi.stops', {
        count,
        names: count > names.length ? `${listed} …` : listed,
      })}{' '}
      <a className="gh-link" href="/docs/fapi">
        {text('settings.profile.fapi.how')}
      </a>
    </p>
  );
}

const nameOf = ({ value }: SettingRecord) => profiles.find((one) => one === value) ?? 'interface';

/** What the other of the two usual profiles would change now. */
async function Changes({
  isStrict,
  details,
}: {
  isStrict: boolean;
  details: readonly SettingRecord[];
}) {
  const text = await pageText();
  const differing = details.filter(({ byProfile }) => byProfile);
  const changing = differing.filter(({ source }) => source === 'default');
  const kept = differing.filter(({ source }) => source !== 'default');
  const other = isStrict ? 'interface' : 'strict';
  const name = (setting: SettingRecord) => text(`settings.names.${setting.key}`);
  return (
    <div id="profile-changes" className="mt-5 border-t border-line pt-4 text-sm">
      <h3 className="font-semibold">{text(`settings.profile.other.${other}`)}</h3>
      <ul className="mt-2 list-disc ps-5 text-ink-soft">
        {changing.map((setting) => (
          <li key={setting.key}>
            {text('settings.profile.change', {
              name: name(setting),
              before: text(setting.value ? 'settings.on' : 'settings.off'),
              after: text(setting.value ? 'settings.off' : 'settings.on'),
            })}
          </li>
        ))}
        <li>{text(`settings.profile.also.${other}.multipart`)}</li>
        {!isStrict && <li>{text('settings.profile.also.strict.redirectUri')}</li>}
      </ul>
      {kept.length > 0 && (
        <p className="mt-2 text-ink-soft">
          {text('settings.profile.keeps', { names: kept.map(name).join(', ') })}
        </p>
      )}
    </div>
  );
}
