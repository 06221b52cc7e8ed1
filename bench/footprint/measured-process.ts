import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a part can be asked: each takes plain data and answers plain data. */
export type ProcessMethods = Readonly<Record<string, (order: never) => Promise<unknown>>>;

interface MethodReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** One process of a cluster, alone in a process of this machine, so that its CPU time is its own. */
export class MeasuredProcess {
  private readonly asked = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  private readonly child: ChildProcess;

  /** `name`: of the file beside this one. */
  constructor(name: string) {
    this.child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)));
    this.child.on('message', ({ id, value, error }: MethodReply) => {
      const waiting = this.asked.get(id);
      this.asked.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
    this.child.on('exit', (code) => {
      for (const { reject } of this.asked.values()) reject(new Error(`${name} ended with ${code}`));
    });
  }

  callMethod<Result>(deed: string, order: unknown = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      const id = Math.random();
      this.asked.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.child.send({ id, deed, order });
    });
  }

  /** Microseconds of CPU that it has used so far, user and system, all of its threads. */
  readCpuMicros(): Promise<number> {
    return this.callMethod<number>('cpu');
  }

  stop(): void {
    this.child.kill();
  }
}

/** The other side: answers what the parent asks. */
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
