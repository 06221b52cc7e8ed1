import { join } from 'node:path';
import { readEnvironment, readSettings, SettingsError, type Settings } from '../config/settings.js';
import { createLogger, type Logger } from '../self-telemetry/logger.js';
import { readRecordedDamage } from '../read-models/adapters/sqlite/store-damage.js';
import type { Service } from './service.js';
import { READ_MODELS_FILE } from './engines/engine-settings.js';
import { startThreads } from './threads/service-threads.js';

/** Exit status for a setting that is wrong, as sysexits.h has it for configuration errors. */
const EX_CONFIG = 78;
/** Requests have 10 s to finish, then the stores close: whoever takes longer than this hangs. */
const STOP_TIMEOUT_MS = 20_000;
/** The same after a failure: a supervisor should start the service again. */
const STOP_TIMEOUT_AFTER_FAILURE_MS = 5_000;
/** What fails again so soon is not mended by starting again. */
const MIN_RESTART_INTERVAL_MS = 30_000;

/**
 * Runs the whole service until a signal ends it. Damaged read models make it start again, and be built anew from the log.
 * Exits 0 after SIGTERM or SIGINT, however often they come, 78 for a wrong setting, 1 when the service cannot start or go on.
 */
export async function runServiceProcess(): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const log = createLogger(settings.logLevel);
    const signalled = waitForStopSignal();
    let service: Service | undefined;
    let startedAgainAt = -Infinity;
    // Without a certificate there is nothing to read again, and SIGHUP means what it always does: the terminal is gone.
    if (settings.tlsCertFile !== undefined) process.on('SIGHUP', () => service?.reload());
    for (;;) {
      const failure = await runServiceOnce(settings, log, signalled, (started) => (service = started));
      if (failure === undefined) process.exit(0);
      if (!hasDamagedReadModels(settings) || performance.now() - startedAgainAt < MIN_RESTART_INTERVAL_MS)
        throw failure;
      startedAgainAt = performance.now();
    }
  } catch (error) {
    process.stderr.write(`hindsight: ${(error as Error).message}\n`);
    process.exit(error instanceof SettingsError ? EX_CONFIG : 1);
  }
}

/** One life of the service: why it could not start or go on, or undefined after a signal. */
async function runServiceOnce(
  settings: Settings,
  log: Logger,
  signalled: Promise<undefined>,
  onStarted: (service: Service) => void,
): Promise<Error | undefined> {
  const threads = startThreads(settings);
  // Loading takes about as long here as in the threads, so both do it at once.
  const { startService } = await import('./service.js');
  try {
    const service = await startService(settings, log, threads, (text) => process.stdout.write(`${text}\n`));
    onStarted(service);
    return await runUntilStopped(service, signalled, log);
  } catch (error) {
    return error as Error;
  }
}

function hasDamagedReadModels({ dataDir }: Settings): boolean {
  return readRecordedDamage(join(dataDir, READ_MODELS_FILE)) !== undefined;
}

/** Resolves with the first signal to stop; later ones change nothing. One that comes during the start is obeyed after it. */
function waitForStopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve(undefined));
  });
}

/** Until the service has stopped: with the reason why it could not go on, or undefined after a signal. */
async function runUntilStopped(
  service: Service,
  signalled: Promise<undefined>,
  log: Logger,
): Promise<Error | undefined> {
  const failure = await Promise.race([signalled, service.failed]);
  if (failure !== undefined) log.error('the service cannot go on', { error: failure });
  const lastResort = setTimeout(
    () => {
      log.error('the service did not stop in time and is cut off; what was acknowledged is durable');
      process.exit(1);
    },
    failure === undefined ? STOP_TIMEOUT_MS : STOP_TIMEOUT_AFTER_FAILURE_MS,
  );
  await service.stop();
  clearTimeout(lastResort);
  return failure;
}
