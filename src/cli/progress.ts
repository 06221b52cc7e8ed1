import type { Progress } from './operations.js';

/**
 * Shows a bar of `unit` on stderr from the first progress of the work on; nothing when silent. Answers what the work does: what fails
 * before it has begun is told without a bar.
 */
export async function withProgress<Result>(
  title: string,
  unit: string,
  silent: boolean,
  work: (onProgress: (progress: Pick<Progress, 'done' | 'total'>) => void) => Promise<Result>,
  stream: NodeJS.WritableStream = process.stderr,
): Promise<Result> {
  if (silent) return work(() => undefined);
  const { Format, Presets, SingleBar } = (await import('cli-progress')).default;
  // Where nothing can be foretold the library formats a word as a number of seconds.
  const formatTime: typeof Format.TimeFormat = (seconds, ...rest) => (Number.isFinite(seconds) ? Format.TimeFormat(seconds, ...rest) : '?');
  const format = `${title} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`;
  const bar = new SingleBar({ format, formatTime, stream, noTTYOutput: true, notTTYSchedule: 2000 }, Presets.shades_classic);
  try {
    return await work(({ done, total }) => {
      if (!bar.isActive) bar.start(total, done);
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    if (bar.isActive) bar.stop(); // a running bar keeps the process alive
  }
}
