import { createHash } from 'node:crypto';
import { QUERY_BOUNDS } from '../query-model.js';
import type { QueryMemory } from '../../scheduling/query-memory.js';

const REGISTER_BITS = 14;
const REGISTERS = 2 ** REGISTER_BITS;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
/** Bytes of a string in a set, beside its characters. */
const ENTRY_BYTES = 56;

/** Standard error of the estimate: two of three are closer. */
export const ESTIMATE_ERROR = Math.round((1.04 / Math.sqrt(REGISTERS)) * 10_000) / 10_000;

/**
 * Counts distinct texts: exactly up to QUERY_BOUNDS.distinctValues, then as an estimate (HyperLogLog: Flajolet, Fusy,
 * Gandouet, Meunier, 2007).
 */
export class DistinctCounter {
  private values: Set<string> | undefined = new Set();
  private registers: Uint8Array | undefined;
  private bytes = 0;

  constructor(private readonly budget: QueryMemory) {}

  get isEstimate(): boolean {
    return this.registers !== undefined;
  }

  add(text: string): void {
    if (this.values === undefined) return this.addToRegisters(text);
    const { size } = this.values;
    this.values.add(text);
    if (this.values.size === size) return;
    this.charge(text.length * 2 + ENTRY_BYTES);
    if (this.values.size > QUERY_BOUNDS.distinctValues) this.startEstimate(this.values);
  }

  /** Adds the values of another counter. */
  merge(other: DistinctCounter | undefined): void {
    if (other?.values !== undefined) for (const value of other.values) this.add(value);
    else if (other?.registers !== undefined) this.mergeRegisters(other.registers);
  }

  get count(): number {
    return this.values?.size ?? estimateCount(this.registers!);
  }

  private mergeRegisters(registers: Uint8Array): void {
    if (this.values !== undefined) this.startEstimate(this.values);
    registers.forEach((rank, at) => (this.registers![at] = Math.max(this.registers![at], rank)));
  }

  private startEstimate(values: ReadonlySet<string>): void {
    this.registers = new Uint8Array(REGISTERS);
    for (const value of values) this.addToRegisters(value);
    this.values = undefined;
    this.charge(REGISTERS - this.bytes);
  }

  private addToRegisters(text: string): void {
    const digest = createHash('sha1').update(text).digest();
    const register = digest.readUInt16LE(0) & (REGISTERS - 1);
    const rank = Math.clz32(digest.readUInt32LE(4)) + 1;
    const registers = this.registers!;
    registers[register] = Math.max(registers[register], rank);
  }

  private charge(bytes: number): void {
    this.bytes += bytes;
    this.budget.charge(bytes);
  }
}

/** Beyond the exact counts no small-range correction is needed. */
function estimateCount(registers: Uint8Array): number {
  let inverse = 0;
  for (const rank of registers) inverse += 2 ** -rank;
  return Math.round((ALPHA * REGISTERS * REGISTERS) / inverse);
}
