import { endedUriOf, kinds, redirectUriOf } from '#lib/identity/upstream/provider-kinds.ts';
import type { Provider } from '#lib/store/providers.ts';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import { CopyValue } from '../../ui/connect/copy-value.tsx';

/** What to do in the console of a provider, and the redirect URI to enter there. */
export async function How({ kind, slug }: Pick<Provider, 'kind' | 'slug'>) {
  const text = await pageText();
  const ended = endedUriOf({ kind, slug });
  return (
    <Card
      id="there"
      title={text('providers.there', { kind, name: kinds[kind].name })}
      text={text(`providers.how.${kind}`)}
    >
      <dl className="gh-facts">
        <CopyValue label={text('providers.redirectUri')} value={redirectUriOf(slug)} />
        {ended && <CopyValue label={text('providers.endedUri')} value={ended} />}
      </dl>
    </Card>
  );
}
