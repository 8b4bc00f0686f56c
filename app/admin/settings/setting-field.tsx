import { ofRule } from '#lib/management/rule-fault.ts';
import { isLooserThanProfile, type SettingRecord } from '#lib/management/setting/settings.ts';
import { durationIn, periodIn } from '#lib/messages/format.ts';
import { sentenceIn, type Text } from '#lib/messages/text.ts';
import { type SettingKey, type Settings, settingTable } from '#lib/settings/table.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { SelectField, TextField } from '../ui/forms/fields.tsx';
import { SeenAs } from '../ui/forms/seen.tsx';

/** One setting: its meaning, its value, and where it was set. */
export async function SettingField({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  if (setting.fixed) return <FixedSetting setting={setting} />;
  return (
    <div id={setting.key} className="gh-setting">
      <SeenAs name={`seen.${setting.key}`} value={setting.stored} />
      {optionsOf(text, setting) ? <Choice setting={setting} /> : <Typed setting={setting} />}
    </div>
  );
}

/** The settings chosen from words; the profile has its own card. */
type ChosenKey = Exclude<
  { [K in SettingKey]: Settings[K] extends string ? K : never }[SettingKey],
  'profile'
>;
/** Every word needs a message, or this does not compile. */
type ChoiceMessage = { [K in ChosenKey]: `settings.choices.${K}.${Settings[K]}` }[ChosenKey];

/** The options of a switch or a choice; undefined for a typed setting. */
function optionsOf(text: Text, { key, value }: SettingRecord): Record<string, string> | undefined {
  if (typeof value === 'boolean') return { true: text('settings.on'), false: text('settings.off') };
  const words = settingTable[key].choices?.map(String);
  const said = (word: string) => text(`settings.choices.${key}.${word}` as ChoiceMessage);
  return words && Object.fromEntries(words.map((word) => [word, said(word)]));
}

const sayChoice = (text: Text, setting: SettingRecord, value: SettingRecord['value']) =>
  optionsOf(text, setting)?.[String(value)] ?? String(value);

async function Choice({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, stored } = setting;
  const options = [
    {
      value: '',
      label: text('settings.byDefault', { value: sayChoice(text, setting, setting.default) }),
    },
    ...Object.entries(optionsOf(text, setting) ?? {}).map(([option, label]) => ({
      value: option,
      label,
    })),
  ];
  return (
    <SelectField
      name={key}
      id={`${key}-input`}
      label={<Legend setting={setting} />}
      hint={text(`settings.hints.${key}`)}
      options={options}
      defaultValue={stored}
    />
  );
}

/** A duration; some can be switched off with a word. */
type TimeRecord = SettingRecord & Record<'value' | 'default', number | string>;
const isTime = (setting: SettingRecord): setting is TimeRecord =>
  settingTable[setting.key].time !== undefined;

/**
 * The default of a duration; otherwise what the field accepts, and that blank means the default.
 */
function usualOf(text: Text, setting: SettingRecord): string {
  if (isTime(setting))
    return text('settings.defaultIs', { value: timeIn(text, setting.key, setting.default) });
  const { takes } = settingTable[setting.key];
  return text('settings.accepts', { what: sentenceIn(text.locale, ofRule(takes)) });
}

/**
 * A duration as the language writes it.
 * @param say `durationIn` for a field, which has to be able to read it again
 */
function timeIn(text: Text, key: SettingKey, time: number | string, say = periodIn): string {
  if (typeof time === 'string') return text('settings.off');
  const { counts, zero = 'forever' } = settingTable[key].time ?? {};
  if (time === 0) return text(`settings.${zero}`);
  return say(text.locale, counts === 'days' ? time * 24 * 3600 : time);
}

async function Typed({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, storedSaid } = setting;
  const isNumber = isTime(setting);
  const inField = (time: number | string) => {
    const said = timeIn(text, key, time, durationIn);
    return /\d/.test(said) ? said : said.toLowerCase();
  };
  return (
    <TextField
      name={key}
      id={`${key}-input`}
      label={text(`settings.names.${key}`)}
      hint={`${text(`settings.hints.${key}`)} ${usualOf(text, setting)}`}
      placeholder={isNumber ? inField(setting.default) : undefined}
      defaultValue={isNumber && storedSaid !== '' ? inField(setting.value) : storedSaid}
      asTyped
      maxLength={isNumber ? 80 : 2000}
    />
  );
}

async function Legend({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, source } = setting;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>{text(`settings.names.${key}`)}</span>
      {isLooserThanProfile(setting) ? (
        <Badge tone="warning">{text('settings.loose')}</Badge>
      ) : (
        source === 'stored' && <Badge tone="accent">{text('settings.changed')}</Badge>
      )}
    </span>
  );
}

async function FixedSetting({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, name, value, source } = setting;
  return (
    <div id={key} className="gh-setting">
      <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <span>{text(`settings.names.${key}`)}</span>
        <Badge>
          {text(
            `settings.fixedBy.${source === 'environment' || source === 'file' ? source : 'operator'}`,
          )}
        </Badge>
        {isLooserThanProfile(setting) && <Badge tone="warning">{text('settings.loose')}</Badge>}
      </p>
      <p className="text-sm text-ink-soft">{text(`settings.hints.${key}`)}</p>
      <p>
        {text('settings.inForce')}:{' '}
        <strong>
          {isTime(setting) ? timeIn(text, key, setting.value) : sayChoice(text, setting, value)}
        </strong>
        .{' '}
        <span className="text-sm text-ink-soft">
          {source === 'file' ? text('kept.refused.setting') : text('settings.fixedHow', { name })}
        </span>
      </p>
    </div>
  );
}
