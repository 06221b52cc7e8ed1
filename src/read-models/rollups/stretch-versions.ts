/** Stretches that are known to have changed, at most; past it all count as changed. */
const MAX_CHANGES = 100_000;

/** Counts for all: so no two give the same number to different things. */
let last = 0;

/** Numbers for the minutes or hours of one collection. That of a stretch is another one after each change that was told of. */
export class StretchVersions {
  /** Of those that have not changed since. */
  private standing = ++last;
  private readonly changed = new Map<string, number>();
  private readonly maxChanges: number;

  constructor(maxChanges = MAX_CHANGES) {
    this.maxChanges = Math.min(maxChanges, MAX_CHANGES);
  }

  of(gridId: string, minute: number): number {
    return this.changed.get(keyOf(gridId, minute)) ?? this.standing;
  }

  change(gridId: string, minute: number): void {
    if (this.changed.size >= this.maxChanges) {
      this.changed.clear();
      this.standing = ++last;
    }
    this.changed.set(keyOf(gridId, minute), ++last);
  }
}

function keyOf(gridId: string, minute: number): string {
  return `${gridId}/${minute}`;
}
