import type { RegisterReading, SharedRegister } from '../../shared-register.js';

/** For members within one process. */
export class MemorySharedRegister implements SharedRegister {
  #reading: RegisterReading;

  /** `value`: initial value. */
  constructor(value?: string) {
    this.#reading = { value, revision: value === undefined ? 0 : 1 };
  }

  read(): Promise<RegisterReading> {
    return Promise.resolve(this.#reading);
  }

  write(value: string, expected: number): Promise<number | undefined> {
    if (this.#reading.revision !== expected) return Promise.resolve(undefined);
    this.#reading = { value, revision: expected + 1 };
    return Promise.resolve(this.#reading.revision);
  }
}
