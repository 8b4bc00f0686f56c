import type { z } from 'zod';
import { type Act, actingFreely, perform } from '../management/act.ts';
import { AdminRefusal } from '../management/refusal.ts';
import { type Actor, fileActor } from '../store/actor.ts';
import { write } from '../store/engine/database.ts';
import {
  disowning,
  type FileOwned,
  type Owned,
  type OwnedKind,
  owning,
} from '../store/file-owned.ts';
import type { Fault } from './faults.ts';
import type { Pictures } from './pictures.ts';
import type { Thing } from './planned.ts';
import type { Source } from './read.ts';
import { titled } from './say.ts';
import { inFile } from './schema.ts';

type Path = Fault['path'];

/** The environment of an apply. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  now: Date;
  /**
   * Whether a person asked for this and is shown what happens, including the links of invitations
   * that are not mailed. A starting server does it unasked.
   */
  asked: boolean;
};

/** Where the file says it, where it says a field of the act, and what to call if it loosens. */
type Performing = { path: Path; placeOf?: (field: string) => Path; loosens?: () => void };

export type NewLink = { email: string; link: string };

/** One apply, within its transaction. */
export class Run {
  readonly source: Source;
  readonly around: Surroundings;
  readonly kept: FileOwned;
  readonly pictures: Pictures;
  readonly actor: Actor = fileActor;
  readonly faults: Fault[] = [];
  readonly notes: string[] = [];
  /** Things made by hand that the file keeps from now on. */
  readonly taken: Thing<OwnedKind>[] = [];
  readonly letGo: Thing<OwnedKind>[] = [];
  /** Things that give someone more than before, such as `client grafana`. */
  readonly loosened = new Set<string>();
  /** The file's names for people, or their user names, by id. */
  readonly people = new Map<string, string>();
  readonly links: NewLink[] = [];
  /** The names of the apps that existed before, by id. */
  readonly #apps: ReadonlyMap<string, string>;
  readonly #said = new Set<string>();
  #ticks = 0;

  constructor(
    source: Source,
    around: Surroundings,
    before: { kept: FileOwned; apps: ReadonlyMap<string, string>; pictures: Pictures },
  ) {
    this.source = source;
    this.around = around;
    this.kept = before.kept;
    this.pictures = before.pictures;
    this.#apps = before.apps;
  }

  /** A thing, as a plan names it. */
  thing<Kind extends Thing['kind']>(kind: Kind, name: string): Thing<Kind> {
    const title = kind === 'client' ? this.#titleOf(name) : undefined;
    return title === undefined ? { kind, name } : { kind, name, title };
  }

  appCalled(id: string): string {
    return titled(id, this.#titleOf(id));
  }

  #titleOf(id: string): string | undefined {
    const { apps = {} } = this.content;
    const said = Object.hasOwn(apps, id) ? (apps[id] as { name?: string }) : undefined;
    return said?.name ?? this.#apps.get(id);
  }

  get content(): Source['content'] {
    return this.source.content;
  }

  /** A later moment at each call, so that things keep the order of the file. */
  now(): Date {
    this.#ticks += 1;
    return new Date(this.around.now.getTime() + this.#ticks);
  }

  fault(path: Path, sentence: string): void {
    this.faults.push({ path, line: this.source.lineOf(path), sentence });
  }

  /** Does work that may be refused. A fault of a field is reported at its place in the file. */
  async attempt<T>(
    path: Path,
    work: () => Promise<T>,
    placeOf: (field: string) => Path = (field) => [inFile(field)],
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      const faults = Object.entries(error.sentences);
      if (faults.length === 0) this.fault(path, error.message);
      for (const [field, sentence] of faults) this.fault([...path, ...placeOf(field)], sentence);
      return undefined;
    }
  }

  /** Performs an act for the file. Faults are reported as by `attempt`. */
  perform<Takes extends z.ZodType, Tells extends z.ZodType>(
    definition: Act<Takes, Tells>,
    said: z.input<Takes>,
    { path, placeOf, loosens = () => {} }: Performing,
  ): Promise<z.output<Tells> | undefined> {
    const by = { ...actingFreely('admin', this.actor, this.now()), demandFresh: loosens };
    return this.attempt(path, () => perform(definition, said, by), placeOf);
  }

  /** Records that the file names this thing. `before`: it existed already. */
  async keep(thing: Owned, path: Path, name: string, before: boolean): Promise<void> {
    const id = `${thing.kind} ${thing.key}`;
    if (this.#said.has(id)) return this.fault(path, 'appears here twice, in different spellings.');
    this.#said.add(id);
    if (this.kept.has(thing.kind, thing.key)) return;
    if (before) this.taken.push(this.thing(thing.kind, name));
    const { sql, params } = owning(thing);
    await write(sql, params);
  }

  /** The keys of things that the file kept and no longer names; none while it is only checked. */
  dropped(kind: OwnedKind): string[] {
    if (this.source.faults.length > 0) return [];
    return this.kept.of(kind).filter((key) => !this.#said.has(`${kind} ${key}`));
  }

  async letGoOf(thing: Owned): Promise<void> {
    const { sql, params } = disowning(thing);
    await write(sql, params);
  }

  /** A callback that records that something was loosened. */
  loosening(kind: OwnedKind, name: string): () => void {
    return () => void this.loosened.add(`${kind} ${name}`);
  }
}
