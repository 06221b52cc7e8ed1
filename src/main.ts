import { readEnvironment, readSettings, SettingsError } from './config.js';
import { createLogger, type Logger } from './log.js';
import type { Service } from './service.js';
import { startThreads } from './threads/threads.js';

/** Exit status for a setting that is wrong, as sysexits.h has it for configuration errors. */
const EX_CONFIG = 78;
/** Requests have 10 s to finish, then the stores close: whoever takes longer than this hangs. */
const LAST_RESORT_MS = 20_000;

/**
 * Runs the whole service until a signal ends it. Exits 0 after SIGTERM or SIGINT, however often they come, 78 for a wrong
 * setting, 1 when the service cannot start or go on.
 */
export async function serve(): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const log = createLogger(settings.logLevel);
    const signalled = signal();
    const threads = startThreads(settings);
    // Loading takes about as long here as in the threads, so both do it at once.
    const { startService } = await import('./service.js');
    const service = await startService(settings, log, threads, (text) => process.stdout.write(`${text}\n`));
    // Without a certificate there is nothing to read again, and SIGHUP means what it always does: the terminal is gone.
    if (settings.tlsCertFile !== undefined) process.on('SIGHUP', () => service.reload());
    await run(service, signalled, log);
  } catch (error) {
    process.stderr.write(`hindsight: ${(error as Error).message}\n`);
    process.exit(error instanceof SettingsError ? EX_CONFIG : 1);
  }
}

/** Resolves with the first signal to stop; later ones change nothing. One that comes during the start is obeyed after it. */
function signal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve(undefined));
  });
}

async function run(service: Service, signalled: Promise<undefined>, log: Logger): Promise<void> {
  const failure = await Promise.race([signalled, service.failed]);
  if (failure !== undefined) log.error('the service cannot go on', { error: failure });
  setTimeout(() => {
    log.error('the service did not stop in time and is cut off; what was acknowledged is durable');
    process.exit(1);
  }, LAST_RESORT_MS).unref();
  await service.stop();
  process.exit(failure === undefined ? 0 : 1);
}
