/** LRU cache bounded by the total size of its values in bytes. */
export class ByteLruCache<V> {
  /** Least recently used first. */
  private readonly values = new Map<string, V>();
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly sizeOf: (value: V) => number,
  ) {}

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.delete(key);
    this.values.set(key, value);
    this.bytes += this.sizeOf(value);
    for (const [oldest] of this.values) {
      if (this.bytes <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    this.bytes -= this.sizeOf(value);
  }

  clear(): void {
    this.values.clear();
    this.bytes = 0;
  }
}
