import type { Progress } from './operations.js';

/** Shows a bar of `unit` on stderr while the work goes on; nothing when silent. Answers what the work does. */
export async function withProgress<Result>(title: string, unit: string, silent: boolean, work: (onProgress: (progress: Pick<Progress, 'done' | 'total'>) => void) => Promise<Result>): Promise<Result> {
  if (silent) return work(() => undefined);
  const { Presets, SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({ format: `${title} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`, stream: process.stderr, noTTYOutput: true, notTTYSchedule: 2000 }, Presets.shades_classic);
  bar.start(0, 0);
  try {
    return await work(({ done, total }) => {
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bar.stop(); // a running bar keeps the process alive
  }
}
