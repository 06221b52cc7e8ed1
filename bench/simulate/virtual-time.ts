interface ScheduledEvent {
  readonly at: number;
  /** Events at the same time run in the order in which they were scheduled. */
  readonly order: number;
  readonly act: () => void;
}

/** Virtual time that advances from event to event. In ms. */
export class VirtualTime {
  /** Heap ordered by time, then by scheduling. */
  private readonly planned: ScheduledEvent[] = [];
  private orders = 0;
  private moment = 0;

  get now(): number {
    return this.moment;
  }

  schedule(ms: number, act: () => void): void {
    const { planned } = this;
    planned.push({ at: this.moment + ms, order: this.orders++, act });
    for (let child = planned.length - 1; child > 0;) {
      const parent = (child - 1) >>> 1;
      if (isEarlier(planned[parent], planned[child])) break;
      [planned[parent], planned[child]] = [planned[child], planned[parent]];
      child = parent;
    }
  }

  /** Runs all events up to this time. */
  runUntil(end: number): void {
    while (this.planned.length > 0 && this.planned[0].at <= end) {
      const next = this.takeNext();
      this.moment = next.at;
      next.act();
    }
    this.moment = end;
  }

  private takeNext(): ScheduledEvent {
    const { planned } = this;
    const first = planned[0];
    const last = planned.pop()!;
    if (planned.length > 0) {
      planned[0] = last;
      this.siftDown();
    }
    return first;
  }

  private siftDown(): void {
    const { planned } = this;
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let earliest = parent;
      if (left < planned.length && isEarlier(planned[left], planned[earliest])) earliest = left;
      if (right < planned.length && isEarlier(planned[right], planned[earliest])) earliest = right;
      if (earliest === parent) return;
      [planned[parent], planned[earliest]] = [planned[earliest], planned[parent]];
      parent = earliest;
    }
  }
}

function isEarlier(one: ScheduledEvent, other: ScheduledEvent): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
