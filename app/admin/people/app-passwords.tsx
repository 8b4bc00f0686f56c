import { config } from '#lib/config.ts';
import { listAppPasswords } from '#lib/management/app-password/app-passwords.ts';
import { appsTakingPasswords } from '#lib/store/app-passwords.ts';
import { readSettings } from '#lib/store/settings.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Table } from '../../ui/table.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { endAppPassword } from './actions.ts';
import { NewAppPassword } from './new-app-password.tsx';

type Props = {
  /** Whose, or for which app. */
  of: { userId: string } | { clientId: string; areTaken: boolean };
  /** The page to return to. */
  back: string;
};

const most = 100;

/**
 * The newest app passwords of a person or an app, each with a button to end it, and for a person
 * the form that makes one. Nothing if there are none, and none can be made.
 */
export async function AppPasswordsCard({ of, back }: Props) {
  const text = await pageText();
  const [userId, clientId] = 'userId' in of ? [of.userId] : [undefined, of.clientId];
  const { rows: passwords } = await listAppPasswords({ userId, clientId, limit: most });
  const apps = userId === undefined ? [] : await appsFor(userId);
  const areTaken = 'areTaken' in of && of.areTaken;
  if (passwords.length === 0 && apps.length === 0 && !areTaken) return null;
  const other = 'userId' in of ? 'app' : 'person';
  const rows = passwords.map((password) => ({
    key: password.id,
    cells: {
      name: <UserText className="font-semibold wrap-anywhere" text={password.name} />,
      other: (
        <UserText
          className="wrap-anywhere"
          text={other === 'app' ? password.clientName : password.username}
        />
      ),
      networks: password.networks.join(' ') || text('appPassword.anywhere'),
      end: password.expiresAt ? <When locale={text.locale} at={password.expiresAt} /> : '–',
      used: password.lastUsedAt ? <When locale={text.locale} at={password.lastUsedAt} /> : '–',
      stop: (
        <ActionForm need="help-people" action={endAppPassword} className="grid gap-2">
          <Hidden fields={{ id: password.id, back }} />
          <div>
            <Submit
              kind="secondary"
              size="small"
              aria-label={text('appPassword.stopLabel', { name: stripBidi(password.name) })}
            >
              {text('appPassword.stop')}
            </Submit>
          </div>
        </ActionForm>
      ),
    },
  }));
  return (
    <Card id="app-passwords" title={text('appPassword.title')} text={text('appPassword.text')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {rows.length === 0 && areTaken && (
          <p className="text-ink-soft">
            {text('appPassword.none', { address: `${config().issuer}/account/app-passwords` })}
          </p>
        )}
        {rows.length > 0 && (
          <Table
            caption={text('appPassword.title')}
            columns={[
              { key: 'name', label: text('appPassword.name') },
              { key: 'other', label: text(`appPassword.${other}`) },
              { key: 'networks', label: text('appPassword.networks') },
              { key: 'end', label: text('appPassword.end') },
              { key: 'used', label: text('people.identityUsed') },
              { key: 'stop', label: <span className="sr-only">{text('appPassword.stop')}</span> },
            ]}
            rows={rows}
          />
        )}
        {userId !== undefined && apps.length > 0 && <NewAppPassword userId={userId} apps={apps} />}
      </div>
    </Card>
  );
}

/** The apps for which a person can have one, by name. */
async function appsFor(userId: string) {
  const { appPasswords } = await readSettings();
  return appPasswords === 'off' ? [] : await appsTakingPasswords(userId);
}
