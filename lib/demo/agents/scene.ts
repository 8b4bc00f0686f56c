import { randomBytes } from 'node:crypto';
import type { Server as NodeServer } from 'node:http';
import type { Instance } from '../instance.ts';
import { note, title } from '../transcript.ts';
import { type Acted, Agent } from './agent.ts';
import { type Api, listen } from './apis.ts';
import { homeFile, railwayFile } from './files.ts';
import { Journal } from './journal.ts';
import { Party } from './party.ts';
import { type Railway, railwayAddress, startRailway } from './railway.ts';
import { openApis, type World } from './world.ts';

/** All the parts of the demo of agents. */
export type Scene = {
  home: Instance;
  world: World;
  agent: Agent;
  journal: Journal;
  /** Lets the agent act. If home refuses, Scheduler tries the token it still holds, too. */
  act: () => Promise<Acted>;
  /** The server of the agent's pages. */
  front: NodeServer;
  end: () => Promise<void>;
};

/**
 * Starts the second Gatehouse, three APIs and the agent beside home, and configures both servers
 * for them.
 */
export async function setScene(home: Instance, stop: AbortSignal): Promise<Scene> {
  const [front, scheduler, calendar, tickets] = await Promise.all([
    listen(),
    listen(),
    listen(),
    listen(),
  ]);
  const closing = [front, scheduler, calendar, tickets].map(({ http }) => http);
  let railway: Railway | undefined;
  const end = async () => {
    for (const http of closing) http.close();
    await railway?.end();
  };
  try {
    const address = await railwayAddress();
    railway = await startRailway(address, stop);
    const servers = {
      home: { name: 'Home', issuer: home.origin },
      railway: { name: 'Railway', issuer: address.issuer },
    };
    const api = async (
      id: string,
      name: string,
      at: { origin: string },
      of: keyof typeof servers,
    ): Promise<Api> => ({
      party: await Party.make(id, name),
      server: servers[of],
      identifier: `${at.origin}/`,
    });
    const world: World = {
      ...servers,
      scheduler: await api('scheduler', 'Scheduler', scheduler, 'home'),
      calendar: await api('calendar', 'Calendar', calendar, 'home'),
      tickets: await api('tickets', 'Tickets', tickets, 'railway'),
    };
    const journal = new Journal();
    const parties: [Party, Party] = [
      await Party.make('trip-agent', 'Trip agent'),
      await Party.make('trip-agent-of-home', 'Trip agent'),
    ];
    const agent = new Agent(front.origin, parties, world, journal);
    const [here, there] = parties;
    const named = {
      world,
      redirectUri: agent.redirectUri,
      agent: here,
      agentThere: there,
      secret: randomBytes(36).toString('base64url'),
    };
    title('What the two admins say, each in a file');
    note('The agent, the APIs, who may exchange tokens for what, and whose word is trusted:');
    await home.configure(homeFile(named));
    await railway.configure(railwayFile(named));
    const { again } = openApis(
      world,
      { scheduler: scheduler.http, calendar: calendar.http, tickets: tickets.http },
      journal,
    );
    const act = async () => {
      const acted = await agent.act(new Date());
      if (!acted.atHome) await again();
      return acted;
    };
    return { home, world, agent, journal, act, front: front.http, end };
  } catch (error) {
    await end();
    throw error;
  }
}
