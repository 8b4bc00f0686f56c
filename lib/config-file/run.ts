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
import type { Thing } from './planned.ts';
import type { Source } from './read.ts';
import { titled } from './say.ts';
import { inFile } from './schema.ts';

type Path = Fault['path'];

/** What an apply knows of the world around it. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  now: Date;
  /**
   * Whether somebody asked for this and is shown what happens, with the links of invitations that no
   * mail carries. A server that starts does it unasked.
   */
  asked: boolean;
};

export type NewLink = { email: string; link: string };

/** One apply, within its transaction. */
export class Run {
  readonly source: Source;
  readonly around: Surroundings;
  readonly kept: FileOwned;
  readonly actor: Actor = fileActor;
  readonly faults: Fault[] = [];
  readonly notes: string[] = [];
  /** What somebody had made by hand, and the file keeps from now on. */
  readonly taken: Thing<OwnedKind>[] = [];
  readonly letGo: Thing<OwnedKind>[] = [];
  /** What gives somebody more than before, as `client grafana`. */
  readonly loosened = new Set<string>();
  /** User names by id, of those that the file names. */
  readonly people = new Map<string, string>();
  readonly links: NewLink[] = [];
  /** What apps are called that were there before, by their ids. */
  readonly #apps: ReadonlyMap<string, string>;
  readonly #said = new Set<string>();
  #ticks = 0;

  constructor(
    source: Source,
    around: Surroundings,
    before: { kept: FileOwned; apps: ReadonlyMap<string, string> },
  ) {
    this.source = source;
    this.around = around;
    this.kept = before.kept;
    this.#apps = before.apps;
  }

  /** A thing as a plan names it. */
  thing<Kind extends Thing['kind']>(kind: Kind, name: string): Thing<Kind> {
    const title = kind === 'client' ? this.#titleOf(name) : undefined;
    return title === undefined ? { kind, name } : { kind, name, title };
  }

  /** An app by its name and its id, in a sentence. */
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

  /** A moment for each thing, so that they keep the order of the file. */
  now(): Date {
    this.#ticks += 1;
    return new Date(this.around.now.getTime() + this.#ticks);
  }

  fault(path: Path, sentence: string): void {
    this.faults.push({ path, line: this.source.lineOf(path), sentence });
  }

  /** Does what may be refused; what is said of a field then stands at its place in the file. */
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

  /** The file names this. `before`: it was there. */
  async keep(thing: Owned, path: Path, name: string, before: boolean): Promise<void> {
    const id = `${thing.kind} ${thing.key}`;
    if (this.#said.has(id)) return this.fault(path, 'stands here twice, in different spellings.');
    this.#said.add(id);
    if (this.kept.has(thing.kind, thing.key)) return;
    if (before) this.taken.push(this.thing(thing.kind, name));
    const { sql, params } = owning(thing);
    await write(sql, params);
  }

  /** The keys of what the file kept and names no more. */
  dropped(kind: OwnedKind): string[] {
    return this.kept.of(kind).filter((key) => !this.#said.has(`${kind} ${key}`));
  }

  async letGoOf(thing: Owned): Promise<void> {
    const { sql, params } = disowning(thing);
    await write(sql, params);
  }

  /** A callback for what loosens something. */
  loosening(kind: OwnedKind, name: string): () => void {
    return () => void this.loosened.add(`${kind} ${name}`);
  }
}
