const FEWEST_SLOTS = 1 << 8;

/** Above this share of used slots the table doubles. */
const MAX_LOAD = 0.5;

/** Numbers pairs of whole numbers (below 2^31) 0, 1, 2 … in the order in which they first come. */
export class PairNumbers {
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  /** Open-addressed: 0 for a free slot, else a pair's number and 1. */
  private slots = new Int32Array(FEWEST_SLOTS);

  get count(): number {
    return this.firsts.length;
  }

  of(first: number, second: number): number {
    const { slots, firsts, seconds } = this;
    const mask = slots.length - 1;
    let slot = slotOf(first, second) & mask;
    for (let number = slots[slot]; number !== 0; number = slots[slot]) {
      if (firsts[number - 1] === first && seconds[number - 1] === second) return number - 1;
      slot = (slot + 1) & mask;
    }
    return this.add(slot, first, second);
  }

  private add(slot: number, first: number, second: number): number {
    const number = this.firsts.push(first);
    this.seconds.push(second);
    this.slots[slot] = number;
    if (number > this.slots.length * MAX_LOAD) this.grow();
    return number - 1;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = slotOf(this.firsts[number], this.seconds[number]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}

function slotOf(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ second;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
