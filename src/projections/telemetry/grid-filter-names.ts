import { MAX_NAME_LENGTH } from '../../diagnostics/rollups/rollup-types.js';
import {
  FILTER_NAME_LIMITS,
  OVERFLOW_NAME,
  type FilterNameKind,
  type FilterNamesDocument,
} from '../../read-models/documents/filter-option-documents.js';

/** Names of one document, each with the last hour in which it was seen. */
interface NameSet {
  readonly kind: FilterNameKind;
  readonly service: string | undefined;
  readonly hours: Map<string, number>;
  changed: boolean;
}

/** Names in the telemetry of one Grid and signal, within their limits. */
export class GridFilterNames {
  private readonly sets = new Map<string, NameSet>();
  /** Names in all sets. */
  size = 0;

  constructor(
    readonly gridId: string,
    documents: readonly FilterNamesDocument[],
  ) {
    for (const { kind, service, names } of documents) {
      this.sets.set(nameSetKey(kind, service), { kind, service, hours: new Map(names), changed: false });
      this.size += names.length;
    }
  }

  /** Records a name. Returns the name that it counts under: itself, or `__other__` beyond the limits. */
  record(kind: FilterNameKind, name: string, hour: number, service?: string): string {
    const set = this.getOrCreateSet(kind, service);
    const known = set.hours.get(name);
    if (known !== undefined && known >= hour) return name;
    const counted = known === undefined && isFull(set, name) ? OVERFLOW_NAME : name;
    const before = set.hours.get(counted);
    if (before === undefined || before < hour) {
      if (before === undefined) this.size++;
      set.hours.set(counted, hour);
      set.changed = true;
    }
    return counted;
  }

  /** The name that a recorded name counts under. */
  resolve(kind: FilterNameKind, name: string, service?: string): string {
    return this.sets.get(nameSetKey(kind, service))?.hours.has(name) === true ? name : OVERFLOW_NAME;
  }

  /** Removes names that were last seen before this hour. */
  forgetBefore(hour: number): void {
    for (const set of this.sets.values()) {
      for (const [name, seen] of set.hours) {
        if (seen >= hour) continue;
        set.hours.delete(name);
        set.changed = true;
        this.size--;
      }
    }
  }

  /**
   * Documents that have changed since the last call, by a key that is unique in the Grid; undefined: the document is
   * empty now.
   */
  takeChanges(): (readonly [key: string, document: FilterNamesDocument | undefined])[] {
    const changed = [...this.sets].filter(([, set]) => set.changed);
    return changed.map(([key, set]) => {
      set.changed = false;
      if (set.hours.size === 0) this.sets.delete(key);
      return [key, set.hours.size === 0 ? undefined : toNamesDocument(this.gridId, set)];
    });
  }

  private getOrCreateSet(kind: FilterNameKind, service: string | undefined): NameSet {
    const key = nameSetKey(kind, service);
    let set = this.sets.get(key);
    if (set === undefined) this.sets.set(key, (set = { kind, service, hours: new Map(), changed: false }));
    return set;
  }
}

function nameSetKey(kind: FilterNameKind, service: string | undefined): string {
  return service === undefined ? kind : `${kind}/${service}`;
}

function isFull({ kind, hours }: NameSet, name: string): boolean {
  return name.length > MAX_NAME_LENGTH || hours.size - (hours.has(OVERFLOW_NAME) ? 1 : 0) >= FILTER_NAME_LIMITS[kind];
}

function toNamesDocument(gridId: string, { kind, service, hours }: NameSet): FilterNamesDocument {
  const names = [...hours].sort(([a], [b]) => (a < b ? -1 : 1));
  return service === undefined ? { gridId, kind, names } : { gridId, kind, service, names };
}
