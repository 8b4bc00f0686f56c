import type { ReactNode } from 'react';
import { formatsOf } from '#lib/messages/formats.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { descriptionIn } from '#lib/oauth/scope.ts';
import { Icon } from './line-icon.tsx';
import { rich } from './rich.tsx';
import { ScopeLines } from './scope-lines.tsx';
import { stripBidi, UserText } from './user-text.tsx';
import type { ScopeLine } from './view-models.ts';

const own = new Map<string, Extract<PlainKey, `scope.${string}`>>([
  ['openid', 'scope.openid'],
  ['profile', 'scope.profile'],
  ['email', 'scope.email'],
  ['address', 'scope.address'],
  ['phone', 'scope.phone'],
  ['groups', 'scope.groups'],
  ['offline_access', 'scope.offline_access'],
]);

/** What a scope allows: our words for built-in scopes, the operator's for others. */
export function describeScope(scope: ScopeLine, locale: Locale): string {
  const key = own.get(scope.name);
  if (scope.isApi) return textIn(locale)('api.use', { api: stripBidi(scope.api ?? '') });
  return key ? textIn(locale)(key) : stripBidi(descriptionIn(scope, locale) || scope.name);
}

/** The same as page content: the operator's text can be in another language and direction. */
export function saidOf(scope: ScopeLine, locale: Locale): ReactNode {
  const sentence = describeScope(scope, locale);
  const said = own.has(scope.name) ? sentence : <UserText text={sentence} />;
  if (scope.api !== undefined) return saidOfApi(scope, locale);
  if (!scope.also?.length) return said;
  return (
    <>
      {said}
      <span className="block text-sm text-ink-soft">
        {rich('consent.also', { fields: listed(scope.also, locale) }, locale)}
      </span>
    </>
  );
}

/** An API with its description or address below, or a scope of an API with the API's name below. */
function saidOfApi(scope: ScopeLine, locale: Locale): ReactNode {
  const { api = '', isApi, identifier = '', description } = scope;
  const name = <UserText text={api} />;
  const sentence = <UserText text={describeScope(scope, locale)} />;
  const under = isApi ? (
    <UserText text={description || identifier} />
  ) : (
    rich('api.more', { api: name }, locale)
  );
  return (
    <>
      {isApi ? rich('api.use', { api: name }, locale) : sentence}
      <span className="block text-sm wrap-anywhere text-ink-soft">{under}</span>
    </>
  );
}

/** "Department, plan and shirt size" */
function listed(labels: readonly string[], locale: Locale): ReactNode {
  const parts = new Intl.ListFormat(formatsOf(locale)).formatToParts(labels);
  return parts.map(({ type, value }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
    type === 'element' ? <UserText key={index} text={value} /> : value,
  );
}

/** Scopes as sentences with icons; an API's scopes are listed under the API. */
export function ScopeList({ scopes, locale }: { scopes: readonly ScopeLine[]; locale: Locale }) {
  const own = scopes.filter(({ identifier }) => identifier === undefined);
  const apis = Map.groupBy(
    scopes.filter(({ identifier }) => identifier !== undefined),
    ({ identifier }) => identifier,
  );
  const lines = own.map((scope) => ({
    name: scope.name,
    sentence: saidOf(scope, locale),
    sensitive: scope.sensitive ? textIn(locale)('consent.sensitive') : undefined,
  }));
  return (
    <div className="grid gap-3">
      {lines.length > 0 && <ScopeLines lines={lines} />}
      {[...apis].map(([identifier, words]) => (
        <ApiWords key={String(identifier)} words={words} locale={locale} />
      ))}
    </div>
  );
}

/** What is asked of one API: its scopes under its name, or just its use if that is all. */
function ApiWords({ words, locale }: { words: readonly ScopeLine[]; locale: Locale }) {
  const use = words.find(({ isApi }) => isApi);
  const own = words.filter(({ isApi }) => !isApi);
  const name = <UserText className="font-semibold" text={words[0]?.api ?? ''} />;
  return (
    <div className="flex gap-3">
      <Icon name="plug" className="mt-0.5 size-5 text-accent" />
      <div className="min-w-0 wrap-anywhere">
        {use && own.length === 0 ? (
          <p>{saidOfApi(use, locale)}</p>
        ) : (
          <p>
            {rich('api.more', { api: name }, locale)}
            {use && (
              <span className="block text-sm text-ink-soft">
                <UserText text={use.description || (use.identifier ?? '')} />
              </span>
            )}
          </p>
        )}
        {own.length > 0 && (
          <ul className="mt-1.5 grid list-disc gap-1 ps-4.5 marker:text-line-strong">
            {own.map((scope) => (
              <li key={scope.name}>
                <UserText text={describeScope(scope, locale)} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
