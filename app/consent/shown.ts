import { z } from 'zod';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import type { Api } from '#lib/oauth/api.ts';
import { labelsIn } from '#lib/oauth/grant-words.ts';
import { digest } from '#lib/oauth/secrets.ts';
import type { UserField } from '#lib/people/user-field.ts';
import { sealed } from '#lib/sealed/sealed.ts';
import type { Session } from '#lib/store/sessions.ts';

const shown = z.object({
  f: z.string(),
  u: z.string(),
  s: z.string(),
  c: z.string(),
  r: z.string(),
  p: z.string(),
  /** What an app that introduced itself says; missing for others. */
  i: z.string().optional(),
  /** What else comes with the scopes; missing where nothing does. */
  o: z.string().optional(),
});

type Shown = z.infer<typeof shown>;

/** Whose it is and when is in it: it counts in this session and for this pending request alone. */
export const sealedShown = sealed('seen', shown, { max: 8192 });

/** A request that somebody decides on: of a browser, or of a device. */
type Decided = Pick<CheckedRequest, 'client'> & {
  target: { uri: string };
  request: Pick<CheckedRequest['request'], 'consentScope' | 'resources'>;
};

/** What the user decides on: account, session, app, redirect URI, scopes, and what comes with them. */
export function shownOn(
  flowId: string,
  { client, target, request }: Decided,
  session: Session,
  fields: readonly UserField[],
): Shown {
  const labels = [
    ...request.consentScope.flatMap((scope) => labelsIn(fields, scope)),
    ...request.resources.apis.flatMap(saidOf),
  ];
  return {
    f: flowId,
    u: session.user.id,
    s: session.hash,
    c: client.id,
    r: target.uri,
    p: shortened(request.consentScope.join(' ')),
    ...(client.origin !== 'admin' && { i: digest(`${client.host} ${client.name}`) }),
    ...(labels.length > 0 && { o: digest(labels.join('\n')) }),
  };
}

/** What people read of an API. */
const saidOf = ({ name, description, scopes }: Api) => [
  name,
  description ?? '',
  ...scopes.map((scope) => scope.description),
];

/** The copy travels in a form, and APIs may have many scopes with long names. */
const shortened = (words: string) => (words.length > 2000 ? digest(words) : words);

/** Seals the copy that the consent form sends back. */
export function sealShown(
  flowId: string,
  checked: CheckedRequest,
  session: Session,
  fields: readonly UserField[],
): Promise<string> {
  return sealedShown.seal(shownOn(flowId, checked, session, fields));
}

/** Whether the copy a consent form sent back matches what the page would show now. */
export async function isSame(sent: string | undefined, now: Shown): Promise<boolean> {
  return JSON.stringify(await sealedShown.open(sent)) === JSON.stringify(now);
}
