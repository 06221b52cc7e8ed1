import type { PageRecord } from './page-records.js';

/**
 * Names of the streams by number, from the table of streams and from its index by name, which hold them independently.
 * A damaged name does no harm: the checksum of each event covers the name of its stream.
 */
export class StreamCatalog {
  private readonly names = new Map<number, Set<string>>();
  private readonly floors = new Map<number, number>();
  private readonly rowNames = new Map<number, string>();
  private readonly confirmed = new Map<number, string>();

  /** Takes a row of the table of streams or an entry of its index; ignores anything else. */
  add({ rowid, values }: PageRecord): void {
    if (rowid !== undefined && isStreamRow(values)) {
      this.addName(rowid, values[1]);
      this.rowNames.set(rowid, values[1]);
      this.floors.set(rowid, Math.max(this.floors.get(rowid) ?? 0, values[3]));
    } else if (rowid === undefined && isNameEntry(values)) this.addName(values[1], values[0]);
  }

  /** Possible names of a stream; only the confirmed one as soon as there is one. */
  candidates(stream: number): Iterable<string> {
    const name = this.confirmed.get(stream);
    return name === undefined ? (this.names.get(stream) ?? []) : [name];
  }

  /** Records that an event of the stream matches its checksum under this name. */
  confirm(stream: number, name: string): void {
    this.confirmed.set(stream, name);
  }

  /** The confirmed name, else that of the row of the stream. */
  findName(stream: number): string | undefined {
    return this.confirmed.get(stream) ?? this.rowNames.get(stream);
  }

  /** First revision that retention has not deleted; undefined if the row of the stream is lost. */
  findFloor(stream: number): number | undefined {
    return this.floors.get(stream);
  }

  /** Numbers of all streams with a name. */
  streams(): Iterable<number> {
    return this.names.keys();
  }

  private addName(stream: number, name: string): void {
    const names = this.names.get(stream);
    if (names === undefined) this.names.set(stream, new Set([name]));
    else names.add(name);
  }
}

/** id (the rowid), name, category, next revision. */
function isStreamRow(values: PageRecord['values']): values is [null, string, number, number] {
  const [id, name, category, next] = values;
  return (
    values.length === 4 &&
    id === null &&
    typeof name === 'string' &&
    Number.isSafeInteger(category) &&
    Number.isSafeInteger(next)
  );
}

/** Name and rowid. */
function isNameEntry(values: PageRecord['values']): values is [string, number] {
  return values.length === 2 && typeof values[0] === 'string' && Number.isSafeInteger(values[1]);
}
