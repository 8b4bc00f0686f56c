/*
 * Code that must not compile. Nothing here is run: `npm run check` fails if one of these lines is
 * accepted.
 */
import { redirect } from '#lib/http/answers.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { type RedirectTarget, withParams } from '#lib/oauth/redirect-uri.ts';

declare const params: Params;
declare const target: RedirectTarget;
declare const sealed: string;

// A browser is only sent to an address of ours, or to a checked one of a client.
redirect('/account');
redirect(`/login?flow=${sealed}`);
redirect(target.uri);
redirect(withParams(target.uri, { code: 'c' }));

// @ts-expect-error RFC 9700 section 4.11: what a request names is nowhere to go
redirect(first(params, 'redirect_uri') ?? '/account');
// @ts-expect-error another host
redirect('https://evil.example/');
// @ts-expect-error another host, by the scheme of the page
redirect('//evil.example/');
// @ts-expect-error a parameter in front of the path names the host
redirect(`/${sealed}`);
// @ts-expect-error a checked address is made by the checks alone
redirect({ uri: sealed } satisfies Pick<RedirectTarget, 'uri'>);
// @ts-expect-error a query that is added does not make an address a checked one
redirect(withParams(sealed, { state: 's' }));
// @ts-expect-error text is no address of ours before it has been looked at
const own: OwnAddress = sealed;

// An error that is not in the table has no status and no sentence.
// @ts-expect-error no such code
void new OAuthRefusal('invalid_everything', own);
