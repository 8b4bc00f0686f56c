import { isLooserThanProfile, type SettingRecord } from '#lib/management/setting/settings.ts';
import { keptWords } from '#lib/messages/admin/kept.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChoiceField, TextField } from '../ui/forms/fields.tsx';
import { SeenAs } from '../ui/forms/seen.tsx';

/** One setting: its meaning, its value, and where it is set. */
export function SettingField({ setting }: { setting: SettingRecord }) {
  if (setting.fixed) return <FixedSetting setting={setting} />;
  return (
    <div id={setting.key} className="grid scroll-mt-6 gap-2">
      <SeenAs name={`seen.${setting.key}`} value={setting.stored} />
      {optionsOf(setting) ? <Choice setting={setting} /> : <Text setting={setting} />}
    </div>
  );
}

const onOff = { true: words.on, false: words.off };

/** What a switch or a choice offers; undefined for what is typed. */
function optionsOf({ key, value }: SettingRecord): Record<string, string> | undefined {
  return typeof value === 'boolean' ? onOff : words.choices[key];
}

const sayChoice = (setting: SettingRecord, value: SettingRecord['value']) =>
  optionsOf(setting)?.[String(value)] ?? String(value);

const hintOf = ({ key, effect }: SettingRecord) => words.hints[key] ?? effect;

function Choice({ setting }: { setting: SettingRecord }) {
  const { key, stored, value } = setting;
  return (
    <ChoiceField
      name={key}
      legend={<Legend setting={setting} />}
      hint={hintOf(setting)}
      row={typeof value === 'boolean'}
      initial={[stored]}
      options={[
        { value: '', label: words.byDefault(sayChoice(setting, setting.default)) },
        ...Object.entries(optionsOf(setting) ?? {}).map(([option, label]) => ({
          value: option,
          label,
        })),
      ]}
    />
  );
}

function Text({ setting }: { setting: SettingRecord }) {
  const { key, name, storedSaid, value } = setting;
  const isNumber = typeof value === 'number';
  return (
    <TextField
      name={key}
      id={`${key}-input`}
      label={words.names[key] ?? name}
      hint={`${hintOf(setting)} ${isNumber ? words.defaultIs(setting.defaultSaid) : words.takes(setting.takes)}`}
      placeholder={isNumber ? setting.defaultSaid : undefined}
      defaultValue={storedSaid}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={isNumber ? 80 : 2000}
      className={isNumber ? 'max-w-64' : undefined}
    />
  );
}

function Legend({ setting }: { setting: SettingRecord }) {
  const { key, name, source } = setting;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>{words.names[key] ?? name}</span>
      {isLooserThanProfile(setting) ? (
        <Badge tone="warning">{words.loose}</Badge>
      ) : (
        source === 'stored' && <Badge tone="accent">{words.changed}</Badge>
      )}
    </span>
  );
}

/** A read-only setting. */
function FixedSetting({ setting }: { setting: SettingRecord }) {
  const { key, name, value, said, source } = setting;
  return (
    <div id={key} className="grid scroll-mt-6 gap-1">
      <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <span>{words.names[key] ?? name}</span>
        <Badge>
          {words.fixedBy[source === 'environment' || source === 'file' ? source : 'operator']}
        </Badge>
        {isLooserThanProfile(setting) && <Badge tone="warning">{words.loose}</Badge>}
      </p>
      <p className="text-sm text-ink-soft">{hintOf(setting)}</p>
      <p>
        {words.inForce}:{' '}
        <strong>{typeof value === 'number' ? said : sayChoice(setting, value)}</strong>.{' '}
        <span className="text-sm text-ink-soft">
          {source === 'file' ? keptWords.refused.setting : words.fixedHow(name)}
        </span>
      </p>
    </div>
  );
}
