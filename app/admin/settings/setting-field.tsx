import type { SettingRecord } from '#lib/management/settings.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChoiceField, TextField } from '../ui/forms/fields.tsx';
import { SeenAs } from '../ui/forms/seen.tsx';

const say = (value: boolean | number | string) =>
  typeof value === 'boolean'
    ? (value ? words.on : words.off).toLowerCase()
    : typeof value === 'number'
      ? words.seconds(value)
      : value;

/** One setting: its meaning, its value, and where it is set. */
export function SettingField({ setting }: { setting: SettingRecord }) {
  if (setting.fixed) return <FixedSetting setting={setting} />;
  return (
    <div id={setting.key} className="grid scroll-mt-6 gap-2">
      <SeenAs name={`seen.${setting.key}`} value={setting.stored} />
      {setting.about === 'accounts' ? (
        <AccountSetting setting={setting} />
      ) : (
        <ProtocolSetting setting={setting} />
      )}
    </div>
  );
}

/** A choice or a text. */
function AccountSetting({ setting }: { setting: SettingRecord }) {
  const { key, name, stored, takes, effect } = setting;
  const choices = words.choices[key];
  if (choices)
    return (
      <ChoiceField
        name={key}
        legend={words.names[key] ?? name}
        hint={effect}
        initial={[stored]}
        options={[
          { value: '', label: words.byDefault(String(setting.default)) },
          ...Object.entries(choices).map(([choice, label]) => ({ value: choice, label })),
        ]}
      />
    );
  return (
    <TextField
      name={key}
      id={`${key}-input`}
      label={words.names[key] ?? name}
      hint={`${effect} ${words.takes(takes)}`}
      defaultValue={stored}
      autoCapitalize="none"
      maxLength={2000}
    />
  );
}

/** A switch or a duration. */
function ProtocolSetting({ setting }: { setting: SettingRecord }) {
  const { key, name, stored, effect, strict, value } = setting;
  const legend = <Legend setting={setting} />;
  const hint = (
    <>
      {effect} {value !== strict && words.strictSays(say(strict))}
    </>
  );
  return (
    <>
      {typeof value === 'boolean' ? (
        <ChoiceField
          name={key}
          legend={legend}
          hint={hint}
          row
          initial={[stored]}
          options={[
            { value: '', label: words.byDefault(say(setting.default)) },
            { value: 'true', label: words.on },
            { value: 'false', label: words.off },
          ]}
        />
      ) : (
        <TextField
          name={key}
          id={`${key}-input`}
          label={words.names[key] ?? name}
          hint={
            <>
              {effect} {words.defaultIs(Number(setting.default))}
            </>
          }
          defaultValue={stored}
          inputMode="numeric"
          maxLength={12}
          className="max-w-48"
        />
      )}
    </>
  );
}

function Legend({ setting: { key, name, value, strict, source } }: { setting: SettingRecord }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>{words.names[key] ?? name}</span>
      <code className="text-xs font-normal text-ink-soft">{name}</code>
      {source === 'stored' && <Badge tone="accent">{words.changed}</Badge>}
      {typeof value === 'boolean' && value !== strict && (
        <Badge tone="warning">{words.loose}</Badge>
      )}
    </span>
  );
}

/** A read-only setting. */
function FixedSetting({ setting }: { setting: SettingRecord }) {
  const { key, name, value, effect, source } = setting;
  return (
    <div id={key} className="grid scroll-mt-6 gap-1">
      <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <span>{words.names[key] ?? name}</span>
        <code className="text-xs font-normal text-ink-soft">{name}</code>
        <Badge>{source === 'environment' ? words.fixedEnvironment : words.fixedOperator}</Badge>
      </p>
      <p className="text-sm text-ink-soft">{effect}</p>
      <p>
        {words.inForce}: <strong>{say(value)}</strong>.{' '}
        <span className="text-sm text-ink-soft">{words.fixedHow(name)}</span>
      </p>
    </div>
  );
}
