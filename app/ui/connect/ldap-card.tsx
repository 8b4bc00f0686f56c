import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { rangeText } from '#lib/settings/ip-address.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../card.tsx';
import { NoticeBox } from '../notice-box.tsx';
import { CopyValue } from './copy-value.tsx';
import { Block } from './guide-cards.tsx';
import { isLdapOff, ldapForm } from './ldap-form.ts';

type Props = {
  client: ClientRecord;
  /** Where the app is changed, for people who may change it. */
  settings?: string;
};

/** What a program needs to know of the LDAP server, and how people sign in to it there. */
export async function LdapCard({ client, settings }: Props) {
  const text = await pageText();
  return (
    <Card
      id="ldap"
      title={text('ldap.title')}
      text={text('ldap.text')}
      actions={
        <a className="gh-link text-sm" href="/docs/ldap-programs">
          {text('ldap.programs')}
        </a>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Reach />
        <Block block={ldapForm(text, client.id)} />
        <p className="text-sm">
          <span className="font-semibold">{text('ldap.password')}</span> {text('app.secretHidden')}{' '}
          {settings && (
            <a className="gh-link" href={`${settings}#secrets`}>
              {text('app.secretAnother')}
            </a>
          )}
        </p>
        <SignIn client={client} settings={settings} />
      </div>
    </Card>
  );
}

/** Says that the server is off, or from where passwords come without TLS. */
async function Reach() {
  const text = await pageText();
  const { certificate, plainFrom } = config().ldap;
  if (isLdapOff())
    return (
      <NoticeBox kind="warning" word={text('frame.notice.warning')} title={text('ldap.off')}>
        {text('ldap.offText')}{' '}
        <a className="gh-link" href="/docs/ldap-server">
          {text('ldap.offMore')}
        </a>
      </NoticeBox>
    );
  if (certificate !== null) return null;
  const networks = ['127.0.0.1', ...plainFrom.map(rangeText)].join(', ');
  return (
    <NoticeBox kind="warning" word={text('frame.notice.warning')}>
      {text('ldap.plainText', { networks })}
    </NoticeBox>
  );
}

/** With which password people sign in to the program. */
async function SignIn({ client, settings }: Props) {
  const text = await pageText();
  const { appPasswords, ldapPasswords } = client;
  if (!appPasswords && !ldapPasswords)
    return (
      <NoticeBox kind="warning" word={text('frame.notice.warning')}>
        {text('ldap.nobody')}{' '}
        {settings && (
          <a className="gh-link" href={`${settings}#programs`}>
            {text('app.change')}
          </a>
        )}
      </NoticeBox>
    );
  return (
    <div className="grid gap-3 text-sm">
      {appPasswords && (
        <dl>
          <CopyValue
            label={text('ldap.appPasswords')}
            value={`${config().issuer}/account/app-passwords`}
          />
        </dl>
      )}
      {ldapPasswords && <p>{text('ldap.ownPasswords')}</p>}
    </div>
  );
}
