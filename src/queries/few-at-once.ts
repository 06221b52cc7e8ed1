/** Lets few works run at once. The others wait, in the order in which they came. */
export class FewAtOnce {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever comes next takes this one's place, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
