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
  headers?: Record<string, string>;
  form?: Record<string, string>;
  status: number;
  location?: string | undefined;
  body?: unknown;
};

/** Prints a request and its response, with long values cut. */
export function show({ method, path, headers = {}, form, status, location, body }: Exchange): void {
  console.log(paint(36, `   → ${method} ${shortUrl(path)}`));
  for (const [name, value] of Object.entries(headers))
    console.log(paint(36, `     ${name}: ${short(value)}`));
  for (const [name, value] of Object.entries(form ?? {}))
    console.log(paint(36, `     ${name} = ${short(value)}`));
  console.log(
    paint(
      status < 400 ? 32 : 33,
      `   ← ${status}${location ? `, on to ${shortUrl(location)}` : ''}`,
    ),
  );
  if (typeof body === 'string') console.log(paint(32, `     ${body}`));
  else if (body) {
    for (const [name, value] of Object.entries(body))
      console.log(paint(32, `     ${name}: ${short(String(value))}`));
  }
}

function short(value: string): string {
  return value.length > 64 && !value.includes(' ')
    ? `${value.slice(0, 20)}…${value.slice(-6)}`
    : value;
}

function shortUrl(url: string): string {
  return url.replace(
    /([?&][^=&]+=)([^&]{64,})/g,
    (_, name: string, value: string) => `${name}${value.slice(0, 12)}…`,
  );
}
