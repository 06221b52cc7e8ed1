import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
import { move } from 'piscina';

/** Requests of chart-render-pool.test.ts instead of pictures. */
export interface FakePicture {
  readonly work: keyof typeof WORK;
  /** Of `meet`: the number of threads that have arrived, and that are expected. */
  readonly place?: Int32Array;
}

const WORK = {
  number: () => Uint8Array.of(threadId),
  priority: () => Uint8Array.of(getPriority()),
  throw(): never {
    throw new Error('no ink');
  },
  exit: (): never => process.exit(3),
  hang(): never {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    throw new Error('nobody wakes it');
  },
  exhaust(): never {
    for (const hoard: number[][] = []; ;) hoard.push(new Array<number>(1_000_000).fill(0.5));
  },
  meet({ place }: FakePicture): Uint8Array {
    Atomics.add(place!, 0, 1);
    Atomics.notify(place!, 0);
    for (let here = Atomics.load(place!, 0); here < place![1]; here = Atomics.load(place!, 0))
      Atomics.wait(place!, 0, here);
    return Uint8Array.of(threadId);
  },
} as const;

export default function run({ picture }: { readonly picture: FakePicture }): unknown {
  return move(WORK[picture.work](picture));
}
