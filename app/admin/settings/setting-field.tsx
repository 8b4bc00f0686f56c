import type { AccountSettingRecord } from '#lib/management/account-settings.ts';
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

/** One setting: what it means, its value, and who decides it. */
export function SettingField({ setting }: { setting: SettingRecord }) {
  const { key, name, stored, effect, strict, value } = setting;
  if (setting.fixed) return <FixedSetting setting={setting} />;
  const legend = <Legend setting={setting} />;
  const hint = (
    <>
      {effect} {value !== strict && words.strictSays(say(strict))}
    </>
  );
  return (
    <div id={key} className="grid scroll-mt-6 gap-2">
      <SeenAs name={`seen.${key}`} value={stored} />
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
    </div>
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

/** A setting that can be looked at here and nothing more. */
function FixedSetting({ setting }: { setting: SettingRecord | AccountSettingRecord }) {
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

/** A setting about accounts: one of several words, or a list that is typed. */
export function AccountSettingField({ setting }: { setting: AccountSettingRecord }) {
  const { key, name, value, source, takes, effect } = setting;
  if (setting.fixed) return <FixedSetting setting={setting} />;
  const stored = source === 'stored' ? value : '';
  const choices = words.choices[key];
  return (
    <div id={key} className="grid scroll-mt-6 gap-2">
      <SeenAs name={`seen.${key}`} value={stored} />
      {choices ? (
        <ChoiceField
          name={key}
          legend={words.names[key] ?? name}
          hint={effect}
          initial={[stored]}
          options={[
            { value: '', label: words.byDefault(setting.default) },
            ...Object.entries(choices).map(([choice, label]) => ({ value: choice, label })),
          ]}
        />
      ) : (
        <TextField
          name={key}
          id={`${key}-input`}
          label={words.names[key] ?? name}
          hint={`${effect} ${words.takes(takes)}`}
          defaultValue={stored}
          autoCapitalize="none"
          maxLength={2000}
        />
      )}
    </div>
  );
}
