/** A collector of spans, as configured by the OpenTelemetry variables. */
export type TelemetryConfig = { url: string; headers: Record<string, string>; service: string };

/**
 * Reads where spans are sent.
 * @throws Error with a sentence for the operator. Headers may be secrets, so it repeats none of
 * them.
 */
export function parseTelemetry(
  endpoint: string,
  headers: string,
  service: string,
): TelemetryConfig {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT has to be the address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318. A token for it belongs into OTEL_EXPORTER_OTLP_HEADERS.',
    );
  const base = url.href.replace(/\/$/, '');
  return { url: `${base}/v1/traces`, headers: parseHeaders(headers), service };
}

/** `name=value,name=value` with percent-encoded values, the format of OpenTelemetry. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map(headerIn));
}

function headerIn(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!/^[\w.-]{1,100}$/.test(name) || value === null || !/^[\x20-\x7e]*$/.test(value))
    throw new Error(
      'OTEL_EXPORTER_OTLP_HEADERS has to be a list such as authorization=Bearer%20TOKEN,x-team=ids: names and percent-encoded values, separated by commas.',
    );
  return [name.toLowerCase(), value];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
