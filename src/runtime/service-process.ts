import { totalmem } from 'node:os';
import { join } from 'node:path';
import { findDevelopmentSignInFault } from '../config/network-exposure.js';
import { readEnvironment, readSettings, SETTINGS, SettingsError, type Settings } from '../config/settings.js';
import { createLogger, type Logger } from '../self-telemetry/logger.js';
import { readRecordedDamage } from '../read-models/adapters/sqlite/store-damage.js';
import type { Service } from './service.js';
import { readControlGroupMemory } from './engines/control-group-memory.js';
import { assertFolderVersion } from './engines/data-folder-version.js';
import { READ_MODELS_FILE } from './engines/engine-settings.js';
import { resolveMemoryLimit } from './engines/memory-plan.js';
import { startThreads } from './threads/service-threads.js';

/** Exit status for an invalid setting (EX_CONFIG of sysexits.h). */
const EX_CONFIG = 78;
/** Time (ms) for a clean stop: requests have 10 s, the rest is for closing the stores. */
const STOP_TIMEOUT_MS = 20_000;
/** The same after a failure: shorter, so that a supervisor can restart the service soon. */
const STOP_TIMEOUT_AFTER_FAILURE_MS = 5_000;
/** Interval (ms) within which a second failure is not retried: a restart did not repair it. */
const MIN_RESTART_INTERVAL_MS = 30_000;

/**
 * Runs the service until SIGTERM or SIGINT. When read models are damaged, restarts once in this process: the start
 * rebuilds them from the event log. Exit status: 0 after a signal, 78 for an invalid setting or a data folder that cannot
 * be opened as it is, 1 when the service cannot start or fails.
 */
export async function runServiceProcess(): Promise<void> {
  try {
    const settings = withMemoryLimit(readSettings(readEnvironment()));
    assertFolderVersion(settings.dataDir);
    const signInFault = findDevelopmentSignInFault(settings);
    if (signInFault !== undefined) throw new SettingsError(SETTINGS.bindAddress.name, signInFault);
    const log = createLogger(settings.logLevel);
    const signalled = waitForStopSignal();
    let service: Service | undefined;
    let restartedAt = -Infinity;
    // Without a certificate there is nothing to reload: SIGHUP keeps its default meaning, the end of the terminal.
    if (settings.tlsCertFile !== undefined) process.on('SIGHUP', () => service?.reload());
    for (;;) {
      const failure = await runServiceOnce(settings, log, signalled, (started) => (service = started));
      if (failure === undefined) process.exit(0);
      if (!hasDamagedReadModels(settings) || performance.now() - restartedAt < MIN_RESTART_INTERVAL_MS) throw failure;
      restartedAt = performance.now();
    }
  } catch (error) {
    process.stderr.write(`hindsight: ${(error as Error).message}\n`);
    process.exit(error instanceof SettingsError ? EX_CONFIG : 1);
  }
}

/** Starts and runs the service once. Resolves to the error that ended it, or to undefined after a signal. */
async function runServiceOnce(
  settings: Settings,
  log: Logger,
  signalled: Promise<undefined>,
  onStarted: (service: Service) => void,
): Promise<Error | undefined> {
  const threads = startThreads(settings);
  // The threads load their code while this thread loads its own.
  const { startService } = await import('./service.js');
  try {
    const service = await startService(settings, log, threads, (text) => process.stdout.write(`${text}\n`));
    onStarted(service);
    return await runUntilStopped(service, signalled, log);
  } catch (error) {
    return error as Error;
  }
}

/** The limit of a process without MEMORY_LIMIT depends on the machine. */
function withMemoryLimit(settings: Settings): Settings {
  const controlGroup = readControlGroupMemory();
  const memoryLimit = resolveMemoryLimit(settings.memoryLimit, controlGroup && Math.min(controlGroup, totalmem()));
  return { ...settings, memoryLimit };
}

function hasDamagedReadModels({ dataDir }: Settings): boolean {
  return readRecordedDamage(join(dataDir, READ_MODELS_FILE)) !== undefined;
}

/** Resolves with the first stop signal; later ones have no effect. A signal during the start takes effect after it. */
function waitForStopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve(undefined));
  });
}

/** Resolves once the service has stopped: to the error that ended it, or to undefined after a signal. */
async function runUntilStopped(
  service: Service,
  signalled: Promise<undefined>,
  log: Logger,
): Promise<Error | undefined> {
  const failure = await Promise.race([signalled, service.failed]);
  if (failure !== undefined) log.error('Service failed; stopping', { error: failure });
  const forcedExit = setTimeout(
    () => {
      log.error('Service did not stop in time; exiting. All acknowledged data is durable');
      process.exit(1);
    },
    failure === undefined ? STOP_TIMEOUT_MS : STOP_TIMEOUT_AFTER_FAILURE_MS,
  );
  await service.stop();
  clearTimeout(forcedExit);
  return failure;
}
