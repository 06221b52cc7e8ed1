import { LONGEST_NAME, OTHER, ROLLUP_BOUNDS } from '../../../diagnostics/rollups.js';
import type { CatalogDocument } from '../../../read-models/rollups.js';

const MINUTE_US = 60_000_000;

interface Sighting {
  firstUs: number;
  lastUs: number;
}

interface OperationSighting extends Sighting {
  entry: boolean;
}

/** The names of one service's spans, within their bounds: a name that once counted for itself does so until it expires. */
export class ServiceNames {
  private readonly seen: Sighting;
  private readonly operations: Map<string, OperationSighting>;
  private readonly versions: Map<string, Sighting>;
  private changed = false;

  constructor(
    readonly service: string,
    document?: CatalogDocument,
  ) {
    this.seen = { firstUs: document?.firstUs ?? Infinity, lastUs: document?.lastUs ?? -Infinity };
    this.operations = new Map(document?.operations.map(({ operation, ...sighting }) => [operation, sighting]));
    this.versions = new Map(document?.versions.map(({ version, ...sighting }) => [version, sighting]));
  }

  get size(): number {
    return 1 + this.operations.size + this.versions.size;
  }

  /** The name that an operation counts under. */
  operation(name: string): string {
    return admitted(this.operations, name, ROLLUP_BOUNDS.operations, () => ({ firstUs: Infinity, lastUs: -Infinity, entry: false }));
  }

  version(name: string): string {
    return admitted(this.versions, name, ROLLUP_BOUNDS.versions, () => ({ firstUs: Infinity, lastUs: -Infinity }));
  }

  /** Spans of an operation, by the name it counts under, that ended in this minute, the first of them at `firstUs`. */
  noteOperation(name: string, entry: boolean, minute: number, firstUs: number): void {
    const sighting = this.operations.get(name);
    if (sighting === undefined) return;
    if (entry && !sighting.entry) this.changed = sighting.entry = true;
    this.note(sighting, minute, firstUs);
    this.note(this.seen, minute, firstUs);
  }

  noteVersion(name: string, minute: number, firstUs: number): void {
    const sighting = this.versions.get(name);
    if (sighting !== undefined) this.note(sighting, minute, firstUs);
  }

  /** Forgets what was last seen before this time. False where nothing stays. */
  forgetBefore(beforeUs: number): boolean {
    for (const names of [this.operations, this.versions]) {
      for (const [name, { lastUs }] of names) if (lastUs < beforeUs) this.changed = names.delete(name);
    }
    return this.seen.lastUs >= beforeUs;
  }

  /** The document, if it has changed since the last call. */
  takeChange(gridId: string): CatalogDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const operations = [...this.operations].sort(byName).map(([operation, sighting]) => ({ operation, ...sighting }));
    const versions = [...this.versions].sort(byName).map(([version, sighting]) => ({ version, ...sighting }));
    return { gridId, service: this.service, ...this.seen, operations, versions };
  }

  private note(sighting: Sighting, minute: number, firstUs: number): void {
    const lastUs = (minute + 1) * MINUTE_US - 1;
    if (firstUs >= sighting.firstUs && lastUs <= sighting.lastUs) return;
    sighting.firstUs = Math.min(firstUs, sighting.firstUs);
    sighting.lastUs = Math.max(lastUs, sighting.lastUs);
    this.changed = true;
  }
}

/** The name under which `name` counts: itself, or `__other__` where there are too many or it is too long. */
export function admitted<S>(names: Map<string, S>, name: string, bound: number, begin: (counted: string) => S): string {
  if (names.has(name)) return name;
  const isFull = name.length > LONGEST_NAME || names.size - (names.has(OTHER) ? 1 : 0) >= bound;
  const counted = isFull ? OTHER : name;
  if (!names.has(counted)) names.set(counted, begin(counted));
  return counted;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
