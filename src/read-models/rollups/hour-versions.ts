/** Hours that are known to have changed, at most; past it all count as changed. */
const MAX_CHANGES = 100_000;

/** Counts for all: so no two give the same number to different things. */
let last = 0;

/** Numbers for the hours of one collection. That of an hour is another one after each change that was told of. */
export class HourVersions {
  /** Of hours that have not changed since. */
  private standing = ++last;
  private readonly changed = new Map<string, number>();

  constructor(private readonly maxChanges = MAX_CHANGES) {}

  of(gridId: string, hour: number): number {
    return this.changed.get(keyOf(gridId, hour)) ?? this.standing;
  }

  change(gridId: string, hour: number): void {
    if (this.changed.size >= this.maxChanges) {
      this.changed.clear();
      this.standing = ++last;
    }
    this.changed.set(keyOf(gridId, hour), ++last);
  }
}

function keyOf(gridId: string, hour: number): string {
  return `${gridId}/${hour}`;
}
