import { config } from '../config.ts';
import { once } from '../once.ts';
import type { SpanExporter } from './otlp.ts';
import { contextOfCall, type TraceContext, traceOf, traceparent } from './trace-context.ts';

const state = () => once('spans', (): { exporter: SpanExporter | null } => ({ exporter: null }));

/** The exporter of this process; null until it has been started. */
export const spans = (): SpanExporter | null => state().exporter;

/**
 * Starts exporting spans, if the operator has configured a destination. The exporter is loaded only
 * then.
 */
export async function startSpans(): Promise<void> {
  const { telemetry } = config();
  const held = state();
  if (!telemetry || held.exporter) return;
  const { OtlpExporter } = await import('./otlp.ts');
  held.exporter ??= new OtlpExporter(telemetry);
}

/** The current time for a span, finer than a millisecond. */
export const spanTime = (): number => performance.timeOrigin + performance.now();

/** These routes are requested constantly, and their spans would tell no one anything. */
const untold = new Set(['/healthz', '/readyz', '/metrics', 'asset']);
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

export function recordRequest(
  exporter: SpanExporter,
  context: TraceContext,
  request: { method: string; route: string; from: number; status: number },
  refusal?: { code: string; rule: string },
): void {
  const { method, route, from, status } = request;
  if (untold.has(route) || context.sampled === false) return;
  const known = knownMethods.has(method) ? method : '_OTHER';
  exporter.add({
    name: `${known} ${route}`,
    kind: 'server',
    context,
    from,
    to: spanTime(),
    failed: status >= 500,
    attributes: {
      'http.request.method': known,
      'http.route': route,
      'http.response.status_code': status,
      'gatehouse.outcome': refusal ? 'refused' : status >= 500 ? 'failed' : 'ok',
      ...(refusal && { 'error.type': refusal.code, 'gatehouse.rule': refusal.rule }),
    },
  });
}

/** A call to another server that has begun: the headers to send, and how to record its end. */
type Call = {
  headers: { traceparent: string };
  answered(status: number): number;
  noted(): void;
  failed(error: unknown): never;
};

/**
 * Begins a call to another server. Its span does not contain the address, because addresses come
 * from other people.
 * @param requestId of the request that the call serves; null if there is none
 */
export function beginCall(name: string, method: 'GET' | 'POST', requestId: string | null): Call {
  const exporter = spans();
  const context = contextOfCall(traceOf(requestId));
  const from = exporter ? spanTime() : 0;
  const end = (status: number | null) => {
    if (!exporter || context.sampled === false) return;
    const outcome: Record<string, string | number> =
      status === null ? { 'error.type': 'no answer' } : { 'http.response.status_code': status };
    exporter.add({
      name: `${method} ${name}`,
      kind: 'client',
      context,
      from,
      to: spanTime(),
      failed: status === null || status >= 400,
      attributes: { 'http.request.method': method, ...outcome },
    });
  };
  return {
    headers: { traceparent: traceparent(context, exporter !== null) },
    answered(status) {
      end(status);
      return status;
    },
    noted: () => end(null),
    failed(error) {
      end(null);
      throw error;
    },
  };
}
