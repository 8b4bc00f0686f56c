import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gatehouseVersion } from '../config.ts';
import type { TelemetryConfig } from '../settings/telemetry.ts';
import { log } from './log.ts';
import type { TraceContext } from './trace-context.ts';

/** An operation of this server and the time it took. Names and values come from fixed lists. */
type Span = {
  name: string;
  kind: 'server' | 'client';
  context: TraceContext;
  /** Milliseconds since 1970, with fractions. */
  from: number;
  to: number;
  attributes: Record<string, string | number>;
  /** Whether the operation failed on this server; a refusal is not a failure. */
  failed: boolean;
};

/** The destination of spans. No method throws, and `add` does not wait for the network. */
export type SpanExporter = {
  add(span: Span): void;
  /** Sends the waiting spans, for a few seconds at most. */
  flush(): Promise<void>;
};

/** The maximum number of waiting spans; beyond it, new ones are dropped and counted. */
const mostWaiting = 2048;
const mostAtOnce = 512;
const every = 5_000;
const timeout = 10_000;
/** Milliseconds for sending the remaining spans at the end of the process. */
const flushLimit = 2_000;
const tellEvery = 60_000;

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

/** Sends spans to a collector with OTLP over HTTP, in JSON. Failures are logged. */
export class OtlpExporter implements SpanExporter {
  readonly #config: TelemetryConfig;
  readonly #resource: { attributes: Attribute[] };
  readonly #scope = { name: 'gatehouse', version: gatehouseVersion() };
  #waiting: Span[] = [];
  #dropped = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #sending: Promise<void> | null = null;

  constructor(config: TelemetryConfig) {
    this.#config = config;
    this.#resource = {
      attributes: attributesOf({
        'service.name': config.service,
        'service.version': this.#scope.version,
        'service.instance.id': randomUUID(),
      }),
    };
    setInterval(() => this.#send(), every).unref();
  }

  add(span: Span): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= mostAtOnce) this.#send();
  }

  async flush(): Promise<void> {
    const until = Date.now() + flushLimit;
    const late = new Promise<void>((done) => setTimeout(done, flushLimit).unref());
    while ((this.#sending || this.#waiting.length > 0) && Date.now() < until) {
      this.#send();
      await Promise.race([this.#sending, late]);
    }
  }

  /** Sends one batch at a time. */
  #send(): void {
    if (this.#sending || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, mostAtOnce);
    this.#sending = this.#post(this.#bodyOf(batch))
      .catch((error: Error) => {
        this.#dropped += batch.length;
        this.#tell(error.message);
      })
      .finally(() => {
        this.#sending = null;
        if (this.#waiting.length >= mostAtOnce) this.#send();
      });
  }

  #tell(reason: string): void {
    const now = performance.now();
    if (now - this.#toldAt < tellEvery) return;
    this.#toldAt = now;
    log().warn({ reason: reason.slice(0, 200), dropped: this.#dropped }, 'spans could not be sent');
    this.#dropped = 0;
  }

  #bodyOf(batch: Span[]): string {
    const scopeSpans = [{ scope: this.#scope, spans: batch.map(toOtlp) }];
    return JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] });
  }

  #post(body: string): Promise<void> {
    const { url, headers } = this.#config;
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    return new Promise((done, failed) => {
      const request = send(
        url,
        {
          method: 'POST',
          agent: false,
          signal: AbortSignal.timeout(timeout),
          headers: {
            ...headers,
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const { statusCode = 0 } = response;
          response.destroy();
          if (statusCode >= 200 && statusCode < 300) done();
          else failed(new Error(`The collector answered ${statusCode}.`));
        },
      );
      request.on('error', failed);
      request.end(body);
    });
  }
}

/** A span in the JSON of OTLP: ids in hex, times and integers as strings. */
function toOtlp({ name, kind, context, from, to, attributes, failed }: Span) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.parentId !== null && { parentSpanId: context.parentId }),
    name,
    kind: kind === 'server' ? 2 : 3,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributesOf(attributes),
    status: failed ? { code: 2 } : {},
  };
}

/** A BigInt, because nanoseconds have more digits than a number can hold exactly. */
const nanoseconds = (milliseconds: number) =>
  String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

function attributesOf(values: Record<string, string | number>): Attribute[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
