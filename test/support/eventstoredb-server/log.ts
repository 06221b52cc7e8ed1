/** Expected state of a stream, in terms of the protocol. */
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
  /** Both commit and prepare position, since there are no explicit transactions. */
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type Outcome =
  | { readonly revision: number; readonly position: number; readonly repeated: boolean }
  | { readonly conflict: true; readonly revision: number | undefined };

/** Bytes of a record in addition to its content, so that positions are not dense. */
const RECORD_OVERHEAD = 100;

/**
 * The in-memory log of the double. Repeated appends are detected like by the real server: by event ids at the expected
 * revision, and, without an expectation, among the ids written last.
 */
export class ServerLog {
  readonly all: Written[] = [];
  /** True: repeated appends without expectation are not detected, as after a restart or leader change. */
  forgetful = false;
  readonly #streams = new Map<string, Written[]>();
  readonly #next = new Map<string, number>();
  /** Ids by which repeated `any` appends are detected. */
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
    // The published sources do not define which event of several this is: the double returns the less useful one.
    return { revision: (this.#next.get(stream) ?? 0) - 1, position: first?.position ?? this.#end, repeated: false };
  }

  /** Events that are not truncated; undefined if there is no such stream. */
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

  /** Scavenge: removes truncated events from `$all`, except the last event of each stream. */
  scavenge(): void {
    const retained = new Set<Written>();
    for (const [name, events] of this.#streams) {
      const visible = new Set(this.stream(name));
      this.#streams.set(
        name,
        events.filter((event, i) => visible.has(event) || i === events.length - 1),
      );
      for (const event of this.#streams.get(name)!) retained.add(event);
    }
    this.all.splice(0, this.all.length, ...this.all.filter((event) => retained.has(event)));
  }

  /** Replaces stored bytes, like a failing disk. */
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

/** Index of the first event with this revision or a later one. */
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
