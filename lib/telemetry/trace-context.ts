import { randomBytes } from 'node:crypto';
import { once } from '../once.ts';

/** The place of a request in a trace across services (W3C Trace Context). */
export type TraceContext = {
  /** 32 hex characters. */
  traceId: string;
  /** The id of this request's span, 16 hex characters. */
  spanId: string;
  /** The span id of the sender. */
  parentId: string | null;
  /** Whether the sender records the trace; null if it did not say. */
  sampled: boolean | null;
};

/** Contexts kept of requests whose trace began elsewhere; the oldest is dropped. */
const mostHeld = 10_000;
const held = () => once('trace-contexts', () => new Map<string, TraceContext>());

/**
 * Version, trace id, parent id, flags. A later version may continue after a hyphen (section 4.3).
 */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;
const nothing = /^0+$/;

/** Parses a `traceparent` header; null if it is not valid. */
export function parseTraceparent(
  text: string | undefined,
): Pick<TraceContext, 'traceId' | 'parentId' | 'sampled'> | null {
  const found = pattern.exec(text ?? '');
  if (!found) return null;
  const [, version = '', traceId = '', parentId = '', flags = '', more] = found;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (nothing.test(traceId) || nothing.test(parentId)) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const requestIds = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The context of a request that came with this header. Without a valid header the request begins a
 * trace, whose id is the request id without its hyphens.
 */
export function followTrace(requestId: string, header: string | undefined): TraceContext {
  const parent = parseTraceparent(header);
  if (!parent) return begun(requestId);
  const context = { ...begun(requestId), ...parent };
  const contexts = held();
  contexts.set(requestId, context);
  const [oldest] = contexts.size > mostHeld ? contexts.keys() : [];
  if (oldest !== undefined) contexts.delete(oldest);
  return context;
}

/** The context of a request by its id; null if there is no request. */
export function traceOf(requestId: string | null | undefined): TraceContext | null {
  if (!requestId || !requestIds.test(requestId)) return null;
  return held().get(requestId) ?? begun(requestId);
}

function begun(requestId: string): TraceContext {
  const traceId = requestId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16), parentId: null, sampled: null };
}

/** The context of an outgoing call, as part of a request or of none. */
export function contextOfCall(from: TraceContext | null): TraceContext {
  const [traceId, spanId] = [from?.traceId ?? hex(16), hex(8)];
  return { traceId, spanId, parentId: from?.spanId ?? null, sampled: from?.sampled ?? null };
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/**
 * The `traceparent` header of an outgoing call.
 * @param recorded whether this server records the trace
 */
export function traceparent({ traceId, spanId, sampled }: TraceContext, recorded: boolean): string {
  return `00-${traceId}-${spanId}-${(sampled ?? recorded) ? '01' : '00'}`;
}

/** Adds the trace and span ids to a log line, if it is about a request. */
export function withTrace(line: Record<string, unknown>): Record<string, unknown> {
  const context = typeof line.requestId === 'string' ? traceOf(line.requestId) : null;
  return context ? { ...line, trace_id: context.traceId, span_id: context.spanId } : line;
}
