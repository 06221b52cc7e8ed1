/** What a stream must be for an append, in the words of the protocol. */
export type Expectation = number | 'any' | 'none' | 'exists';

export interface Proposal {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Written extends Proposal {
  readonly stream: string;
  readonly revision: number;
  /** Commit and prepare position in one: no explicit transactions. */
  readonly position: number;
  /** Ms since 1970. */
  readonly created: number;
}

export type Outcome =
  | { readonly revision: number; readonly position: number; readonly repeated: boolean }
  | { readonly conflict: true; readonly revision: number | undefined };

/** Space that a record takes beside what it holds: positions are not dense. */
const RECORD_OVERHEAD = 100;

/**
 * The log of the double, in memory. Appends that were made before are recognised as the real server does: by event ids at the
 * expected revision, and, without an expectation, among the ids written last.
 */
export class ServerLog {
  readonly all: Written[] = [];
  /** True: appends without expectation are never recognised, as after a restart or a change of leader. */
  forgetful = false;
  readonly #streams = new Map<string, Written[]>();
  readonly #next = new Map<string, number>();
  /** Ids that `any` recognises. */
  readonly #recent = new Map<string, Written>();
  #end = 0;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly clock: () => number) {}

  append(stream: string, expected: Expectation, proposals: readonly Proposal[]): Outcome {
    const last = (this.#next.get(stream) ?? 0) - 1;
    const repeated = this.#repetition(stream, expected, proposals);
    if (repeated !== undefined) return { revision: repeated.revision, position: repeated.position, repeated: true };
    if (!meets(last, expected)) return { conflict: true, revision: last < 0 ? undefined : last };
    const [first] = proposals.map((proposal) => this.#write(stream, proposal));
    for (const listener of this.#listeners) listener();
    // The published sources leave open which event of several this is: the double tells the one that is of less use.
    return { revision: (this.#next.get(stream) ?? 0) - 1, position: first?.position ?? this.#end, repeated: false };
  }

  /** What a stream still shows, for the moment; undefined where there is none. */
  stream(name: string): readonly Written[] | undefined {
    const events = this.#streams.get(name);
    if (events === undefined) return undefined;
    const metadata = this.#streams.get(`$$${name}`)?.at(-1);
    const first =
      metadata === undefined
        ? 0
        : Number((JSON.parse(Buffer.from(metadata.data).toString()) as { $tb?: number }).$tb ?? 0);
    return first === 0 ? events : events.slice(placeOf(events, first));
  }

  /** As the operator of a server does: what streams no longer show leaves `$all`, but for the last event of each stream. */
  scavenge(): void {
    const kept = new Set<Written>();
    for (const [name, events] of this.#streams) {
      const shown = new Set(this.stream(name));
      this.#streams.set(
        name,
        events.filter((event, i) => shown.has(event) || i === events.length - 1),
      );
      for (const event of this.#streams.get(name)!) kept.add(event);
    }
    this.all.splice(0, this.all.length, ...this.all.filter((event) => kept.has(event)));
  }

  /** Replaces stored bytes, as a failing disk does. */
  damage(position: number, change: Partial<Proposal>): void {
    const replace = (events: Written[]): void => {
      const at = events.findIndex((event) => event.position === position);
      if (at >= 0) events[at] = { ...events[at], ...change };
    };
    replace(this.all);
    for (const events of this.#streams.values()) replace(events);
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #repetition(stream: string, expected: Expectation, proposals: readonly Proposal[]): Written | undefined {
    if (proposals.length === 0) return undefined;
    if (expected === 'any' || expected === 'exists') {
      if (this.forgetful) return undefined;
      const events = proposals.map(({ id }) => this.#recent.get(id));
      return events.every((event) => event?.stream === stream) ? events.at(-1) : undefined;
    }
    const first = expected === 'none' ? 0 : expected + 1;
    const events = this.#streams.get(stream) ?? [];
    const there = events.slice(placeOf(events, first), placeOf(events, first + proposals.length));
    return there.length === proposals.length && there.every(({ id }, i) => id === proposals[i].id)
      ? there.at(-1)
      : undefined;
  }

  #write(stream: string, proposal: Proposal): Written {
    const revision = this.#next.get(stream) ?? 0;
    this.#end += RECORD_OVERHEAD + proposal.data.byteLength + proposal.metadata.byteLength;
    const event: Written = {
      ...proposal,
      id: proposal.id.toLowerCase(),
      stream,
      revision,
      position: this.#end,
      created: this.clock(),
    };
    this.#next.set(stream, revision + 1);
    const events = this.#streams.get(stream);
    if (events === undefined) this.#streams.set(stream, [event]);
    else events.push(event);
    this.#recent.set(event.id, event);
    this.all.push(event);
    return event;
  }
}

/** Of the first event of a stream that is this revision or a later one. */
export function placeOf(events: readonly Written[], revision: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle].revision >= revision) high = middle;
    else low = middle + 1;
  }
  return low;
}

function meets(last: number, expected: Expectation): boolean {
  if (expected === 'any') return true;
  if (expected === 'exists') return last >= 0;
  return expected === 'none' ? last < 0 : last === expected;
}
