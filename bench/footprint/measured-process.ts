import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Methods of a measured process; arguments and results are plain data. */
export type ProcessMethods = Readonly<Record<string, (order: never) => Promise<unknown>>>;

interface MethodReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** One process of a cluster in a process of this machine, so that its CPU time can be measured. */
export class MeasuredProcess {
  private readonly pending = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  private readonly child: ChildProcess;

  /** `name` is that of the file beside this one. */
  constructor(name: string) {
    this.child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)));
    this.child.on('message', ({ id, value, error }: MethodReply) => {
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
    this.child.on('exit', (code) => {
      for (const { reject } of this.pending.values()) reject(new Error(`${name} ended with ${code}`));
    });
  }

  callMethod<Result>(deed: string, order: unknown = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      const id = Math.random();
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.child.send({ id, deed, order });
    });
  }

  /** CPU time (µs) used so far, user and system, of all threads. */
  readCpuMicros(): Promise<number> {
    return this.callMethod<number>('cpu');
  }

  stop(): void {
    this.child.kill();
  }
}

/** Child side: serves the calls of the parent. */
export function serveMethods(deeds: ProcessMethods): void {
  const all: ProcessMethods = { ...deeds, cpu: async () => readOwnCpuMicros() };
  process.on('message', ({ id, deed, order }: { id: number; deed: string; order: never }) => {
    all[deed](order).then(
      (value) => process.send?.({ id, value } satisfies MethodReply),
      (error: unknown) =>
        process.send?.({
          id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies MethodReply),
    );
  });
}

export function readOwnCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
