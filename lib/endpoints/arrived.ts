import { isTrustedProxy, unreadableFrom } from '../http/address.ts';
import type { HttpRequest } from '../http/message.ts';
import { doctorHeader, isDoctorPass } from '../sealed/doctor.ts';

/** How a request looked when it arrived here, behind all proxies. */
export type Arrived = {
  /** The peer of the connection, and the address that the request is attributed to. */
  peer: string | null;
  address: string;
  /** TRUSTED_PROXIES lists the peer. */
  trusted: boolean;
  /** What a trusted proxy sent in place of the client's address. */
  unreadable: string | null;
  host: string | null;
  forwardedFor: string | null;
  forwardedProto: string | null;
};

/** How it arrived, if its sender proves to have the server's secret; otherwise null. */
export function arrivedAs(request: HttpRequest, now: Date): Arrived | null {
  if (!isDoctorPass(request.header(doctorHeader), now)) return null;
  const header = (name: string) => request.header(name)?.slice(0, 300) ?? null;
  return {
    peer: request.peer ?? null,
    address: request.address,
    trusted: isTrustedProxy(request.peer),
    unreadable: unreadableFrom(request.peer, header('x-forwarded-for')),
    host: header('host'),
    forwardedFor: header('x-forwarded-for'),
    forwardedProto: header('x-forwarded-proto'),
  };
}
