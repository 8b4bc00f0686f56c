import type { ClientRecord } from '#lib/management/client/clients.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { mostGroupsInToken } from '#lib/oauth/id-token-room.ts';
import { operatorClaims } from '#lib/oauth/operator-claims.ts';
import { mayAsk } from '#lib/oauth/scope.ts';
import { unknownGroups } from '#lib/store/group-names.ts';
import { pageText } from '../../../../locale.ts';
import { stripBidi, UserText } from '../../../../ui/user-text.tsx';

/** The claims the app would get with the saved settings, and what would prevent that. */
export async function ClaimsExample({ client }: { client: ClientRecord }) {
  const text = await pageText();
  const groups = exampleGroups(client);
  const facts = { groups, fields: [], registeredAt: client.createdAt };
  const told = operatorClaims(client, facts, { scopes: ['groups'], asked: [] });
  const unknown = await unknownGroups(Object.keys(client.groupNames));
  const scope = (await listScopes()).find(({ name }) => name === 'groups');
  return (
    <div className="grid gap-2 text-sm text-ink-soft">
      {unknown.length > 0 && (
        <p className="text-warn">
          {text('claims.unknown', { names: unknown.map(stripBidi).join(', ') })}
        </p>
      )}
      {scope && !mayAsk(client, scope) && <p className="text-warn">{text('claims.cannotAsk')}</p>}
      <p>{text('claims.example', { groups: groups.map(stripBidi).join(', ') })}</p>
      <ul className="rounded-xl border border-line bg-sunken p-3 font-mono wrap-anywhere">
        {Object.entries(told).map(([name, value]) => (
          <li key={name}>
            <UserText text={`${JSON.stringify(name)}: ${JSON.stringify(value)}`} />
          </li>
        ))}
      </ul>
      <p>{text('claims.room', { groups: mostGroupsInToken })}</p>
    </div>
  );
}

/** The first groups that are renamed, or else two made-up ones. */
function exampleGroups({ groupNames, groupsPrefix }: ClientRecord): string[] {
  const renamed = Object.keys(groupNames).slice(0, 3);
  const prefix = groupsPrefix ?? '';
  return renamed.length > 0 ? renamed : [`${prefix}editors`, `${prefix}staff`];
}
