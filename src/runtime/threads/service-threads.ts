import { pickEngineSettings, type ThreadSettings } from '../engines/engine-settings.js';
import type { AccessApi } from './access-thread.js';
import type { DiagnosticsApi } from './diagnostics-thread.js';
import type { IncidentImportApi } from './incident-import-thread.js';
import type { ProjectorApi } from './projector-thread.js';
import type { ReaderApi } from './reader-thread.js';
import { startThread, type WorkerThread } from './worker-thread.js';
import type { ResourceLimits } from 'node:worker_threads';
import type { Remote } from 'comlink';
import { HindsightError } from '../../errors.js';

/**
 * The worker threads of a service. Threads that the roles of the process do not need are replaced by null threads,
 * whose calls reject.
 */
export interface ServiceThreads {
  readonly projector: WorkerThread<ProjectorApi>;
  readonly reader: WorkerThread<ReaderApi>;
  readonly access: WorkerThread<AccessApi>;
  readonly diagnostics: WorkerThread<DiagnosticsApi>;
}

/** Picks the settings for worker threads: no other setting leaves the thread that read them. */
function pickThreadSettings(settings: ThreadSettings): ThreadSettings {
  const { logLevel, roles, memoryLimit } = settings;
  return { ...pickEngineSettings(settings), logLevel, roles, memoryLimit };
}

/**
 * Space for new objects in threads that only answer queries: three semi-spaces of 4 MiB, two of them in use. Those of the
 * default, 16 MiB each, fill even in a thread that has little to do, and stay.
 */
const QUERY_THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Starts the threads. They load their code and wait: no store is opened before the first call of a method. */
export function startThreads(allSettings: ThreadSettings): ServiceThreads {
  const settings = pickThreadSettings(allSettings);
  const { roles } = settings;
  const start = <Api>(file: string, wanted: boolean, limits?: ResourceLimits): WorkerThread<Api> =>
    wanted ? startThread<Api>(new URL(file, import.meta.url), settings, limits) : createNullThread<Api>(roles);
  const [isProjector, servesApi] = [roles.has('project'), roles.has('api')];
  return {
    projector: start<ProjectorApi>('./projector-thread.js', isProjector),
    // The alerting policies run in projector processes and need queries and diagnostics, too.
    reader: start<ReaderApi>('./reader-thread.js', isProjector || servesApi, QUERY_THREAD_LIMITS),
    access: start<AccessApi>('./access-thread.js', true, QUERY_THREAD_LIMITS),
    diagnostics: start<DiagnosticsApi>('./diagnostics-thread.js', isProjector || servesApi, QUERY_THREAD_LIMITS),
  };
}

/** Starts a thread that imports an incident file. The caller closes it. */
export function startImportThread(settings: ThreadSettings): WorkerThread<IncidentImportApi> {
  return startThread(new URL('./incident-import-thread.js', import.meta.url), pickThreadSettings(settings));
}

/** Null thread for a process whose roles need none: every call rejects with code `unavailable`. */
function createNullThread<Api>(roles: ThreadSettings['roles']): WorkerThread<Api> {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new HindsightError('unavailable', `this process does not provide this: its ROLES are ${[...roles].join(',')}`),
    );
  // Without `then`, awaiting the api itself does not take it for a promise.
  const api = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse) }) as Remote<Api>;
  return { api, ended: new Promise(() => undefined), close: () => Promise.resolve() };
}
