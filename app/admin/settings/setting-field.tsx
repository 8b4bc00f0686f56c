import { isLooserThanProfile, type SettingRecord } from '#lib/management/setting/settings.ts';
import { periodIn } from '#lib/messages/format.ts';
import type { Text } from '#lib/messages/text.ts';
import type { SettingKey } from '#lib/settings/table.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChoiceField, SelectField, TextField } from '../ui/forms/fields.tsx';
import { SeenAs } from '../ui/forms/seen.tsx';

/** One setting: its meaning, its value, and where it is set. */
export async function SettingField({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  if (setting.fixed) return <FixedSetting setting={setting} />;
  return (
    <div id={setting.key} className="grid scroll-mt-6 gap-2">
      <SeenAs name={`seen.${setting.key}`} value={setting.stored} />
      {optionsOf(text, setting) ? <Choice setting={setting} /> : <Typed setting={setting} />}
    </div>
  );
}

const onOff = (text: Text) => ({ true: text('settings.on'), false: text('settings.off') });

/** What the settings offer that are chosen. */
const choices = (text: Text): Partial<Record<SettingKey, Record<string, string>>> => ({
  registration: {
    off: text('settings.choices.registration.off'),
    open: text('settings.choices.registration.open'),
    invitation: text('settings.choices.registration.invitation'),
    domains: text('settings.choices.registration.domains'),
  },
  clientRegistration: {
    off: text('settings.choices.clientRegistration.off'),
    token: text('settings.choices.clientRegistration.token'),
    open: text('settings.choices.clientRegistration.open'),
  },
  approveNewApps: {
    on: text('settings.choices.approveNewApps.on'),
    off: text('settings.choices.approveNewApps.off'),
  },
  requireSecondFactor: {
    off: text('settings.choices.requireSecondFactor.off'),
    admins: text('settings.choices.requireSecondFactor.admins'),
    everyone: text('settings.choices.requireSecondFactor.everyone'),
  },
  rememberDeviceOfAdmins: {
    on: text('settings.choices.rememberDeviceOfAdmins.on'),
    off: text('settings.choices.rememberDeviceOfAdmins.off'),
  },
  newDeviceMail: {
    on: text('settings.choices.newDeviceMail.on'),
    off: text('settings.choices.newDeviceMail.off'),
  },
  mailCode: {
    on: text('settings.choices.mailCode.on'),
    off: text('settings.choices.mailCode.off'),
  },
  proofOfWork: {
    off: text('settings.choices.proofOfWork.off'),
    attack: text('settings.choices.proofOfWork.attack'),
    always: text('settings.choices.proofOfWork.always'),
  },
  passkeyUpgrade: {
    on: text('settings.choices.passkeyUpgrade.on'),
    off: text('settings.choices.passkeyUpgrade.off'),
  },
  usernameChange: {
    on: text('settings.choices.usernameChange.on'),
    off: text('settings.choices.usernameChange.off'),
  },
});

/** What a switch or a choice offers; undefined for what is typed. */
function optionsOf(text: Text, { key, value }: SettingRecord): Record<string, string> | undefined {
  return typeof value === 'boolean' ? onOff(text) : choices(text)[key];
}

const sayChoice = (text: Text, setting: SettingRecord, value: SettingRecord['value']) =>
  optionsOf(text, setting)?.[String(value)] ?? String(value);

/** So many options are looked at beside each other; of more, one is chosen from a list. */
const mostBeside = 3;

async function Choice({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, stored, value } = setting;
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
  if (options.length > mostBeside)
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
  return (
    <ChoiceField
      name={key}
      legend={<Legend setting={setting} />}
      hint={text(`settings.hints.${key}`)}
      row={typeof value === 'boolean'}
      initial={[stored]}
      options={options}
    />
  );
}

/** The default of a time; what else is typed, and that nothing is the default. */
function usualOf(text: Text, { key, default: usual }: SettingRecord): string {
  if (typeof usual === 'number')
    return text('settings.defaultIs', { value: timeIn(text, key, usual) });
  const what = text(key === 'clientDocumentHosts' ? 'takes.hosts' : 'takes.domains');
  return text('settings.accepts', { what });
}

const inDays: readonly SettingKey[] = [
  'auditRetentionDays',
  'traceRetentionDays',
  'accountDeletion',
  'rememberDevice',
];

/** Typed as a length of time; one of them can be turned off. */
function isTime(setting: SettingRecord): setting is SettingRecord & { value: number | string } {
  return typeof setting.value === 'number' || setting.key === 'accountDeletion';
}

/** What 0 means, where it is not for ever. */
const noTime: Partial<Record<SettingKey, 'settings.atOnce' | 'settings.off'>> = {
  accountDeletion: 'settings.atOnce',
  rememberDevice: 'settings.off',
};

/** A time as the language writes it: kept in days, or in seconds. */
function timeIn(text: Text, key: SettingKey, time: number | string): string {
  if (typeof time === 'string') return text('settings.off');
  if (time === 0) return text(noTime[key] ?? 'settings.forever');
  const isDays = inDays.includes(key);
  return periodIn(text.locale, isDays ? time * 24 * 3600 : time);
}

async function Typed({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, storedSaid } = setting;
  const isNumber = isTime(setting);
  return (
    <TextField
      name={key}
      id={`${key}-input`}
      label={text(`settings.names.${key}`)}
      hint={`${text(`settings.hints.${key}`)} ${usualOf(text, setting)}`}
      placeholder={isNumber ? setting.defaultSaid : undefined}
      defaultValue={storedSaid}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={isNumber ? 80 : 2000}
      className={isNumber ? 'max-w-64' : undefined}
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

/** A read-only setting. */
async function FixedSetting({ setting }: { setting: SettingRecord }) {
  const text = await pageText();
  const { key, name, value, source } = setting;
  return (
    <div id={key} className="grid scroll-mt-6 gap-1">
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
