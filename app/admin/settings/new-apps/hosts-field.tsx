import type { SettingRecord } from '#lib/management/setting/settings.ts';
import { knownHosts, knownValue, splitHosts } from '#lib/settings/known-hosts.ts';
import { pageText } from '../../../locale.ts';
import { ChoiceField, TextField } from '../../ui/forms/fields.tsx';
import { SeenAs } from '../../ui/forms/seen.tsx';
import { SettingField } from '../setting-field.tsx';

/** The hosts whose apps may register themselves: well-known ones as tick boxes, others as text. */
export async function HostsField({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
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
        legend={text(`settings.names.${key}`)}
        hint={text('settings.hosts.hint')}
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
        label={text('settings.hosts.others')}
        hint={text('settings.hosts.othersHint')}
        defaultValue={others.join(', ')}
        asTyped
        maxLength={2000}
      />
    </div>
  );
}
