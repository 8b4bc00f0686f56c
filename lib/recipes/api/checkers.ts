import { acrNames } from '../../oauth/acr.ts';
import { usesJwts } from '../../oauth/api.ts';
import { jwtType, jwtTypeFor } from '../../oauth/jwt-access-token.ts';
import { fillBlock, serverAddresses } from '../fill.ts';
import { collection } from '../list.ts';
import { type ApiFacts, wwwAuthenticateOf } from './published.ts';

/** A program that checks the tokens of an API, in one language. */
export type Checker = {
  id: string;
  language: string;
  file: string;
  /** The command that installs what it needs besides the language, or null. */
  install: string | null;
  text: string;
};

/** The programs that a developer can put in front of an API, in four languages. */
export function checkersOf(api: ApiFacts): Checker[] {
  const { issuer, identifier } = api;
  const { jwks, introspect } = serverAddresses(issuer);
  const facts = {
    issuer,
    identifier,
    challenge: wwwAuthenticateOf(api),
    /** The `acr` values of sign-ins, the weakest first. */
    acrs: acrNames.join(' '),
    jwks,
    introspect,
    /** The `typ` header of the API's tokens, if they are JWTs. */
    typ: jwtTypeFor(api),
  };
  const isJwt = usesJwts(api);
  const isOfType = facts.typ === jwtType;
  const words: Record<string, boolean> = {
    jwt: isJwt,
    'at-jwt': isJwt && isOfType,
    'plain-jwt': isJwt && !isOfType,
    opaque: !isJwt,
  };
  return collection().checkers.map(({ id, language, install, block }) => {
    const { title: file, text } = fillBlock(block, facts, (word) => words[word] === true);
    return { id, language, file, install: install[isJwt ? 'jwt' : 'opaque'] ?? null, text };
  });
}
