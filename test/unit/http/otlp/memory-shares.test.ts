import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeLargestGrant, HeldBytes, mayHold } from '../../../../src/http/otlp/memory-shares.js';

const TOTAL = 96_000;

/** Requests of known size that hold memory, as MemoryBudget keeps account of them. */
class HeldMemory {
  private readonly held = new HeldBytes();
  free = TOTAL;

  /** Takes memory in steps until it is refused; returns what was taken. */
  takeAll(ownerId: string, gridId: string, step: number, isOneRequest = false): number {
    let taken = 0;
    while (this.take(ownerId, gridId, step, isOneRequest ? taken : 0)) taken += step;
    return taken;
  }

  take(ownerId: string, gridId: string, bytes: number, own = 0): boolean {
    const share = { ownerId, gridId };
    const owner = this.held.ofOwner(ownerId);
    const view = { total: TOTAL, free: this.free, own, owner, grid: this.held.ofGrid(share) };
    if (!mayHold(view, bytes)) return false;
    this.held.add(share, bytes);
    this.free -= bytes;
    return true;
  }
}

describe('mayHold', () => {
  it('one owner with many requests gets two thirds, one Grid four sevenths', () => {
    assert.ok(Math.abs(new HeldMemory().takeAll('a', 'a1', 100) - (TOTAL * 4) / 7) <= 100);
    const memory = new HeldMemory();
    const taken = Array.from({ length: 50 }, (_, n) => memory.takeAll('a', `a${n}`, 100));
    assert.ok(Math.abs(taken.reduce((sum, each) => sum + each, 0) - (TOTAL * 2) / 3) <= 1_000);
  });

  it('a single request may take seven eighths', () => {
    assert.equal(new HeldMemory().takeAll('a', 'a1', 100, true), computeLargestGrant(TOTAL));
  });

  it('whatever one owner takes, a request of another owner of up to a twelfth finds memory at once', () => {
    const step = fc.record({ grid: fc.nat(4), bytes: fc.integer({ min: 1, max: 70_000 }), alone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: TOTAL / 12 }), (steps, bytes) => {
        const memory = new HeldMemory();
        for (const each of steps) memory.take('attacker', `grid ${each.grid}`, each.bytes, each.alone ? 1 : 0);
        assert.ok(memory.free >= TOTAL / 8);
        assert.ok(memory.take('neighbour', 'its grid', bytes), `${memory.free} are free`);
      }),
    );
  });

  it('leaves some for the next, however many owners took all that they could', () => {
    const memory = new HeldMemory();
    for (let n = 0; n < 6; n++) {
      memory.takeAll(`owner ${n}`, `grid ${n}`, 10);
      assert.ok(memory.free > 0);
      assert.ok(memory.take('modest', 'grid', 1));
    }
  });

  it('never gives more than is free', () => {
    const view = fc.record({
      free: fc.nat(TOTAL),
      own: fc.nat(TOTAL),
      owner: fc.nat(TOTAL),
      grid: fc.nat(TOTAL),
    });
    fc.assert(
      fc.property(view, fc.nat(2 * TOTAL), (held, more) => {
        if (mayHold({ total: TOTAL, ...held }, more)) assert.ok(more <= held.free);
      }),
    );
  });

  it('keeps account of owners and Grids, and forgets those that hold nothing', () => {
    const held = new HeldBytes();
    const [first, second] = ['g1', 'g2'].map((gridId) => ({ ownerId: 'a', gridId }));
    held.add(first, 10);
    held.add(second, 5);
    assert.deepEqual([held.ofOwner('a'), held.ofGrid(first), held.ofGrid(second), held.owners], [15, 10, 5, 1]);
    held.add(first, -10);
    held.add(second, -5);
    assert.deepEqual([held.ofOwner('a'), held.ofGrid(first), held.owners], [0, 0, 0]);
  });
});
