import { acrNames } from '../../oauth/acr.ts';
import { usesJwts } from '../../oauth/api.ts';
import { jwtTypeFor } from '../../oauth/jwt-access-token.ts';
import { serverAddresses } from '../fill.ts';
import { goForJwt, goForOpaque } from './go.ts';
import { javaForJwt, javaForOpaque } from './java.ts';
import { type ApiFacts, wwwAuthenticateOf } from './published.ts';
import { pythonForJwt, pythonForOpaque } from './python.ts';
import { typescriptForJwt, typescriptForOpaque } from './typescript.ts';

/** A program that checks the tokens of an API, in one language. */
export type Checker = {
  id: 'typescript' | 'python' | 'go' | 'java';
  language: string;
  file: string;
  /** The command that installs what it needs besides the language, or null. */
  install: string | null;
  text: string;
};

/** The programs that a developer can put in front of an API, in four languages. */
export function checkersOf(api: ApiFacts): Checker[] {
  const { jwks, introspect } = serverAddresses(api.issuer);
  const { issuer, identifier } = api;
  const facts = {
    issuer,
    identifier,
    challenge: wwwAuthenticateOf(api),
    acrs: acrNames.join(' '),
    jwks,
    introspect,
    typ: jwtTypeFor(api),
  };
  const isJwt = usesJwts(api);
  return [
    {
      id: 'typescript',
      language: 'TypeScript',
      file: 'check-token.ts',
      install: isJwt ? 'npm install jose' : null,
      text: (isJwt ? typescriptForJwt : typescriptForOpaque)(facts).text,
    },
    {
      id: 'python',
      language: 'Python',
      file: 'check_token.py',
      install: isJwt ? "pip install 'PyJWT[crypto]'" : null,
      text: (isJwt ? pythonForJwt : pythonForOpaque)(facts).text,
    },
    {
      id: 'go',
      language: 'Go',
      file: 'check_token.go',
      install: isJwt ? 'go get github.com/coreos/go-oidc/v3/oidc@v3.21.0' : null,
      text: (isJwt ? goForJwt : goForOpaque)(facts).text,
    },
    {
      id: 'java',
      language: 'Java',
      file: 'ApiSecurity.java',
      install: 'org.springframework.boot:spring-boot-starter-security-oauth2-resource-server:4.0.0',
      text: (isJwt ? javaForJwt : javaForOpaque)(facts).text,
    },
  ];
}
