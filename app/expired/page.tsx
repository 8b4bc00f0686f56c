import { openPendingRequest } from '#lib/interaction/pending-request.ts';
import { first } from '#lib/oauth/params.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import { findClient } from '#lib/store/clients.ts';
import { pageLocale } from '../locale.ts';
import { ExpiredView } from '../ui/message.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function ExpiredPage({ searchParams }: Props) {
  const locale = await pageLocale();
  const sealed = String((await searchParams).flow ?? '');
  const flow = await openPendingRequest(sealed);
  const client = flow && (await findClient(first(flow.params, 'client_id') ?? ''));
  return (
    <ExpiredView
      locale={locale}
      againHref={`/oauth/continue?flow=${encodeURIComponent(sealed)}&again=1`}
      appName={client ? nameByProof(client) : undefined}
    />
  );
}
