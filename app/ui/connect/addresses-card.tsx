import { config } from '#lib/config.ts';
import { serverAddresses } from '#lib/recipes/fill.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../card.tsx';
import { CopyValue } from './copy-value.tsx';

const names = [
  'discovery',
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'logout',
  'revoke',
  'introspect',
] as const;

/** The addresses of this server, for software that doesn't discover them by itself. */
export async function AddressesCard() {
  const text = await pageText();
  const addresses = serverAddresses(config().issuer);
  return (
    <Card
      id="endpoints"
      title={text('app.endpoints')}
      text={text('app.endpointsText')}
      actions={
        <a className="gh-link text-sm" href="/docs">
          {text('app.docs')}
        </a>
      }
    >
      <dl className="grid gap-3">
        {names.map((name) => (
          <CopyValue key={name} label={text(`app.endpoint.${name}`)} value={addresses[name]} />
        ))}
      </dl>
    </Card>
  );
}
