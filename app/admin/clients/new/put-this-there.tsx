'use client';

import type { FilledBlock } from '#lib/recipes/recipe.ts';
import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyValue } from '../../../ui/connect/copy-value.tsx';
import type { Credentials, Guide } from '../../../ui/connect/guide.ts';
import { Block, GuideCards } from '../../../ui/connect/guide-cards.tsx';
import { clientPage } from '../../addresses.ts';
import { AttemptsCard } from '../../traces/listening/attempts-card.tsx';
import type { Heard } from '../../traces/listening/heard.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { leaves } from '../../ui/forms/leave-guard.tsx';
import { EnvLines } from '../given-secret.tsx';

/** For a new app, before anything has been heard from it. */
const silence: Heard = { attempts: [], works: null };

/** A new app: its credentials, and where to put them. */
export type NewApp = Credentials & {
  title: string;
  name: string;
  /** Its filled-in recipe; null for an app without one. */
  guide: Guide | null;
  /** What to type into its form about the LDAP server; null for an app that gets tokens. */
  ldap: { form: FilledBlock; isOff: boolean } | null;
};

/** What to put where, shown right after an app was added. The secret is here and nowhere else. */
export function PutThisThere({ title, name, guide, ldap, ...given }: NewApp) {
  const text = useText();
  const { clientId, secret, issuer } = given;
  return (
    <div
      className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6"
      data-guard={secret === null ? undefined : text('connect.leaveSecret')}
    >
      <title>{title}</title>
      <div>
        <h1
          className="text-2xl font-semibold tracking-tight text-balance outline-none sm:text-3xl"
          tabIndex={-1}
          data-focus
        >
          {text('connect.madeHeading', { name })}
        </h1>
        <p className="mt-1.5 text-ink-soft">{text('connect.madeText')}</p>
      </div>
      <Card id="credentials" title={text('connect.values')}>
        <div className="grid gap-4">
          <AdminNotice
            kind={secret === null ? 'info' : 'warning'}
            title={secret === null ? undefined : text('connect.keepSecret')}
          >
            {secret === null ? text('connect.noSecret') : text('connect.keepSecretPlain')}
          </AdminNotice>
          <dl className="grid gap-4">
            {!ldap && <CopyValue label={text('connect.issuer')} value={issuer} />}
            {!ldap && <CopyValue label={text('connect.clientId')} value={clientId} />}
            {secret !== null && (
              <CopyValue
                label={ldap ? text('ldap.password') : text('connect.clientSecret')}
                value={secret}
                keeps
              />
            )}
          </dl>
          {ldap?.isOff && (
            <AdminNotice kind="warning" title={text('ldap.off')}>
              {text('ldap.offText')}
            </AdminNotice>
          )}
          {ldap && <Block block={ldap.form} />}
          {!guide && !ldap && <EnvLines {...given} />}
        </div>
      </Card>
      <AttemptsCard clientId={clientId} heard={silence} keepsPage />
      {guide && <GuideCards guide={guide} keeps />}
      <div>
        <ButtonLink {...leaves} href={clientPage(clientId)}>
          {secret === null ? text('connect.toApp') : text('connect.done')}
        </ButtonLink>
      </div>
    </div>
  );
}
