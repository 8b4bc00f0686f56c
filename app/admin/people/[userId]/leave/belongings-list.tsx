import type { ReactNode } from 'react';
import type { Belongings } from '#lib/management/user/leaving.ts';
import { listIn } from '#lib/messages/format.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { pageText } from '../../../../locale.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { EmailAddress } from '../../../../ui/email-address.tsx';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';
import { clientPage } from '../../../addresses.ts';
import { QuickLink } from '../../../ui/quick-link.tsx';

type Props = { belongings: Belongings };

/** What a person owns, and what will happen to each item. */
export async function BelongingsList({ belongings }: Props) {
  const text = await pageText();
  const { apps, keys, tokens, invitations } = belongings;
  return (
    <Card id="belongings" title={text('leave.belongings')}>
      <div className="grid gap-5">
        <Kind title={text('leave.apps')} becomes={text('leave.appsBecome')} count={apps.length}>
          {apps.map(({ id, name, alone }) => (
            <Item key={id} badge={alone && text('leave.alone')}>
              <QuickLink className="gh-link" href={clientPage(id, 'access')}>
                <UserText text={name} />
              </QuickLink>
            </Item>
          ))}
        </Kind>
        <Kind title={text('leave.keys')} becomes={text('leave.keysBecome')} count={keys.length}>
          {keys.map(({ id, name, rights }) => (
            <Item key={id} more={rights.join(', ')}>
              <UserText text={name} />
            </Item>
          ))}
        </Kind>
        <Kind
          title={text('leave.tokens')}
          becomes={text('leave.tokensBecome')}
          count={tokens.length}
        >
          {tokens.map(({ id, name }) => (
            <Item key={id}>
              <UserText text={name} />
            </Item>
          ))}
        </Kind>
        <Kind
          title={text('leave.invitations')}
          becomes={text('leave.invitationsBecome')}
          count={invitations.length}
        >
          {invitations.map(({ id, email }) => (
            <Item key={id}>
              <EmailAddress text={email} />
            </Item>
          ))}
        </Kind>
        <Rest belongings={belongings} />
      </div>
    </Card>
  );
}

/** What ends with the account, or stays without belonging to anyone. */
async function Rest({ belongings }: Props) {
  const text = await pageText();
  const { user, groups, sessions, approvals, decisions } = belongings;
  const lines = [
    user.role !== 'none' && text('leave.role', { role: text(`people.roles.${user.role}`) }),
    groups.length > 0 &&
      text('leave.groups', { groups: listIn(text.locale, groups.map(stripBidi)) }),
    sessions > 0 && text('leave.sessions', { count: sessions }),
    approvals.count > 0 && text('leave.approvals', ofTotal(approvals)),
    decisions > 0 && text('leave.decisions', { count: decisions }),
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <section className="border-t border-line pt-4">
      <h3 className="mb-1 font-semibold">{text('leave.rest')}</h3>
      <ul className="grid gap-1">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

type KindProps = { title: string; becomes: string; count: number; children: ReactNode };

async function Kind({ title, becomes, count, children }: KindProps) {
  const text = await pageText();
  return (
    <section className="border-t border-line pt-4 first:border-t-0 first:pt-0">
      <h3 className="font-semibold">{title}</h3>
      {count === 0 ? (
        <p className="text-ink-soft">{text('leave.none')}</p>
      ) : (
        <>
          <p className="mb-2 text-sm text-ink-soft">{becomes}</p>
          <ul className="grid max-h-72 gap-1.5 overflow-y-auto">{children}</ul>
        </>
      )}
    </section>
  );
}

type ItemProps = { badge?: string | false; more?: string; children: ReactNode };

function Item({ badge, more, children }: ItemProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
      {children}
      {badge && <Badge tone="warning">{badge}</Badge>}
      {more && <span className="text-sm text-ink-soft">{more}</span>}
    </li>
  );
}
