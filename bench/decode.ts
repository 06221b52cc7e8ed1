/** One figure of a benchmark. */
export interface Row { readonly name: string; readonly value: number; readonly unit: string; readonly note: string }
export async function run(): Promise<Row[]> { throw new Error('being written'); }
/** Spans per second of the decode loop: what other figures are compared with. */
export function calibrate(): number { throw new Error('being written'); }
