import type { SettingRecord } from '#lib/management/setting/settings.ts';
import { keptWords } from '#lib/messages/admin/kept.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { Card } from '../../../ui/card.tsx';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { SeenAs } from '../../ui/forms/seen.tsx';

/** The switch between the two profiles, and what it changes. */
export function ProfileCard({
  profile,
  details,
}: {
  profile: SettingRecord;
  details: readonly SettingRecord[];
}) {
  const { legend, text, interface: compatible, strict } = words.profile;
  if (profile.fixed)
    return (
      <Card id="profile" title={legend} text={text}>
        <p>
          <strong>{words.profile[profile.value as 'interface' | 'strict'].label}</strong>.{' '}
          {profile.source === 'file'
            ? keptWords.refused.setting
            : words.profile.fixed(
                profile.name,
                profile.value === 'strict' ? 'interface' : 'strict',
              )}
        </p>
      </Card>
    );
  return (
    <Card id="profile" title={legend} text={text}>
      <SeenAs name="seen.profile" value={profile.stored} />
      <ChoiceField
        name="profile"
        legend={<span className="sr-only">{legend}</span>}
        initial={[profile.stored]}
        options={[
          // What is stored stays so when nothing is chosen anew.
          { value: profile.stored === 'interface' ? 'interface' : '', ...compatible },
          { value: 'strict', ...strict },
        ]}
      />
      <Changes isStrict={profile.value === 'strict'} details={details} />
    </Card>
  );
}

/** What the other profile would change now. */
function Changes({ isStrict, details }: { isStrict: boolean; details: readonly SettingRecord[] }) {
  const differing = details.filter(({ byProfile }) => byProfile);
  const changing = differing.filter(({ source }) => source === 'default');
  const kept = differing.filter(({ source }) => source !== 'default');
  const { other, change, also, keeps } = words.profile;
  const name = (setting: SettingRecord) => words.names[setting.key] ?? setting.name;
  return (
    <div id="profile-changes" className="mt-5 border-t border-line pt-4 text-sm">
      <h3 className="font-semibold">{other(isStrict ? 'interface' : 'strict')}</h3>
      <ul className="mt-2 list-disc ps-5 text-ink-soft">
        {changing.map((setting) => (
          <li key={setting.key}>
            {change(
              name(setting),
              setting.value ? words.on : words.off,
              setting.value ? words.off : words.on,
            )}
          </li>
        ))}
        {also[isStrict ? 'interface' : 'strict'].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {kept.length > 0 && <p className="mt-2 text-ink-soft">{keeps(kept.map(name).join(', '))}</p>}
    </div>
  );
}
