import type { Server as NodeServer } from 'node:http';
import { type Api, call, exchange, serveApi } from './apis.ts';
import type { Journal } from './journal.ts';
import type { Json, Server } from './party.ts';

/** Both Gatehouse servers, and the APIs they issue tokens for. */
export type World = { home: Server; railway: Server; scheduler: Api; calendar: Api; tickets: Api };

/** The API whose app is an agent as well: it calls another API on behalf of its caller's user. */
type Scheduler = {
  /** Calls Calendar once more with the token it exchanged before, without being called itself. */
  again: () => Promise<void>;
};

type Ports = { scheduler: NodeServer; calendar: NodeServer; tickets: NodeServer };

/** Starts answering requests to the three APIs. */
export function openApis(world: World, at: Ports, journal: Journal): Scheduler {
  const { scheduler, calendar, tickets } = world;
  let held: string | null = null;
  serveApi(at.scheduler, scheduler, journal, async (token) => {
    held = await exchange(scheduler, token, calendar, journal);
    if (held === null) return refused(403);
    const week = await call('Scheduler calls Calendar for Dora.', calendar, held, journal);
    return week.status === 200 ? { status: 200, body: { best: 'Thursday' } } : refused(403);
  });
  serveApi(at.calendar, calendar, journal, async () => ({
    status: 200,
    body: { free: 'Thursday, Friday' },
  }));
  serveApi(at.tickets, tickets, journal, async () => ({
    status: 200,
    body: { booked: 'Thursday 08:12, window seat' },
  }));
  return {
    async again() {
      if (held === null) return;
      const says = 'Scheduler still has the token that it exchanged before, and tries it.';
      await call(says, calendar, held, journal);
    },
  };
}

const refused = (status: number): { status: number; body: Json } => ({
  status,
  body: { error: 'access_denied' },
});
