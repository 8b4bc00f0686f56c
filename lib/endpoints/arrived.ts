import { isTrustedProxy } from '../http/address.ts';
import type { HttpRequest } from '../http/message.ts';
import { doctorHeader, isDoctorPass } from '../sealed/doctor.ts';

/** How a request looked when it arrived here, after every proxy. */
export type Arrived = {
  /** Where the connection comes from, and where the request is taken to come from. */
  peer: string | null;
  address: string;
  /** TRUSTED_PROXIES names the peer. */
  trusted: boolean;
  host: string | null;
  forwardedFor: string | null;
  forwardedProto: string | null;
};

/** For whoever proves to have the server's secret: what arrived. Null for everybody else. */
export function arrivedAs(request: HttpRequest, now: Date): Arrived | null {
  if (!isDoctorPass(request.header(doctorHeader), now)) return null;
  const header = (name: string) => request.header(name)?.slice(0, 300) ?? null;
  return {
    peer: request.peer ?? null,
    address: request.address,
    trusted: isTrustedProxy(request.peer),
    host: header('host'),
    forwardedFor: header('x-forwarded-for'),
    forwardedProto: header('x-forwarded-proto'),
  };
}
