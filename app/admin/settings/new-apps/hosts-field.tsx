import type { SettingRecord } from '#lib/management/setting/settings.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { knownHosts, knownValue, splitHosts } from '#lib/settings/known-hosts.ts';
import { ChoiceField, TextField } from '../../ui/forms/fields.tsx';
import { SeenAs } from '../../ui/forms/seen.tsx';
import { SettingField } from '../setting-field.tsx';

/** The hosts whose apps may introduce themselves: those that many people use by name, others as text. */
export function HostsField({ setting }: { setting: SettingRecord }) {
  if (setting.fixed) return <SettingField setting={setting} />;
  const { key, stored } = setting;
  const { known, others } = splitHosts(stored.split(',').filter(Boolean));
  return (
    <div id={key} className="grid scroll-mt-6 gap-5">
      <SeenAs name={`seen.${key}`} value={stored} />
      <ChoiceField
        many
        columns
        name="knownHosts"
        legend={words.names[key]}
        hint={words.hosts.hint}
        initial={known}
        options={knownHosts.map((maker) => ({
          value: knownValue(maker),
          label: maker.name,
          hint: maker.hosts.join(', '),
        }))}
      />
      <TextField
        name={key}
        id={`${key}-input`}
        label={words.hosts.others}
        hint={words.hosts.othersHint}
        defaultValue={others.join(', ')}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
      />
    </div>
  );
}
