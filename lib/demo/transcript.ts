const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);

let step = 0;

export function title(text: string): void {
  console.log(`\n${paint(1, text)}`);
}

export function note(text: string): void {
  console.log(text === '' ? '' : `  ${text}`);
}

/** Starts a numbered step: what happens, and why. */
export function explain(text: string): void {
  step += 1;
  console.log(`\n${paint(1, `${step}. ${text}`)}`);
}

export type Exchange = {
  method: string;
  path: string;
  /** The name of the server that is asked, if there is more than one. */
  at?: string | undefined;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  /** Undefined: there is no response yet. */
  status?: number | undefined;
  location?: string | undefined;
  body?: unknown;
};

/** Prints a request and its response, with long values and secrets cut. */
export function show({ method, path, at, headers = {}, form, ...answer }: Exchange): void {
  const { status, location, body } = answer;
  console.log(paint(36, `   → ${method} ${shortUrl(path)}${at ? ` at ${at}` : ''}`));
  for (const [name, value] of Object.entries(headers))
    console.log(paint(36, `     ${name}: ${short(name, value)}`));
  for (const [name, value] of Object.entries(form ?? {}))
    console.log(paint(36, `     ${name} = ${short(name, value)}`));
  if (status === undefined) return;
  console.log(
    paint(
      status < 400 ? 32 : 33,
      `   ← ${status}${location ? `, on to ${shortUrl(location)}` : ''}`,
    ),
  );
  if (typeof body === 'string') console.log(paint(32, `     ${body}`));
  else if (body) {
    for (const [name, value] of Object.entries(body))
      console.log(paint(32, `     ${name}: ${short(name, written(value))}`));
  }
}

/** Prints the response to a request that was printed before. */
export function answered(who: string, status: number, body: Record<string, unknown>): void {
  console.log(paint(status < 400 ? 32 : 33, `\n   ← ${status} from ${who}`));
  for (const [name, value] of Object.entries(body))
    console.log(paint(32, `     ${name}: ${short(name, written(value))}`));
}

/** Prints the content of a token, or what a server says about it. */
export function read(what: string, values: Record<string, unknown>): void {
  console.log(`   = ${what}`);
  for (const [name, value] of Object.entries(values))
    console.log(paint(35, `     ${name}: ${short(name, written(value))}`));
}

export const written = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Names of values that are secrets or can be exchanged for something. */
const isSecret = /^(authorization|csrf|code|code_verifier|client_secret|(.+_)?(token|assertion))$/i;

/** A value as printed: of a secret, only the beginning. */
export function short(name: string, value: string): string {
  if (isSecret.test(name)) return value.replace(/\S{20,}/g, (word) => `${word.slice(0, 12)}…`);
  return value.length > 64 && !value.includes(' ')
    ? `${value.slice(0, 20)}…${value.slice(-6)}`
    : value;
}

function shortUrl(url: string): string {
  return url.replace(
    /([?&]code=|[?&][^=&]+=(?=[^&]{64}))([^&]+)/g,
    (_, name: string, value: string) => `${name}${value.slice(0, 12)}…`,
  );
}
