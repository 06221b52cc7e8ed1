import { pickEngineSettings, type ThreadSettings } from '../engines/engine-settings.js';
import type { AccessApi } from './access-thread.js';
import type { DiagnosticsApi } from './diagnostics-thread.js';
import type { ProjectorApi } from './projector-thread.js';
import type { ReaderApi } from './reader-thread.js';
import { startThread, type WorkerThread } from './worker-thread.js';
import type { Remote } from 'comlink';
import { HindsightError } from '../../errors.js';

/** The threads of a service. Those that the roles of the process have no work for are not there: whoever calls them is refused. */
export interface ServiceThreads {
  readonly projector: WorkerThread<ProjectorApi>;
  readonly reader: WorkerThread<ReaderApi>;
  readonly access: WorkerThread<AccessApi>;
  readonly diagnostics: WorkerThread<DiagnosticsApi>;
}

/** Picks what threads are given: no other setting leaves the thread that read them. */
export function pickThreadSettings(settings: ThreadSettings): ThreadSettings {
  return { ...pickEngineSettings(settings), logLevel: settings.logLevel, roles: settings.roles };
}

/** Starts the threads. They load their code and wait: no store is touched before one of their methods is called. */
export function startThreads(given: ThreadSettings): ServiceThreads {
  const settings = pickThreadSettings(given);
  const { roles } = settings;
  const start = <Api>(file: string, wanted: boolean): WorkerThread<Api> =>
    wanted ? startThread<Api>(new URL(file, import.meta.url), settings) : createNullThread<Api>(roles);
  const [projects, answers] = [roles.has('project'), roles.has('api')];
  return {
    projector: start<ProjectorApi>('./projector-thread.js', projects),
    reader: start<ReaderApi>('./reader-thread.js', answers),
    access: start<AccessApi>('./access-thread.js', true),
    // Alerts are looked for where read models are kept.
    diagnostics: start<DiagnosticsApi>('./diagnostics-thread.js', projects || answers),
  };
}

/** Stands for a thread that a process with these roles has no use for: every call rejects with code `unavailable`. */
function createNullThread<Api>(roles: ThreadSettings['roles']): WorkerThread<Api> {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new HindsightError('unavailable', `this process does not do that: its ROLES are ${[...roles].join(',')}`),
    );
  // Whoever awaits the api itself must not find a promise.
  const api = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse) }) as Remote<Api>;
  return { api, ended: new Promise(() => undefined), close: () => Promise.resolve() };
}
