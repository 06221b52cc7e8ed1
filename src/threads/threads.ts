import type { AccessApi } from './access-thread.js';
import type { DiagnosticsApi } from './diagnostics-thread.js';
import type { ProjectorApi } from './projector-thread.js';
import type { ReaderApi } from './reader-thread.js';
import type { ThreadSettings } from './thread-settings.js';
import { startThread, type Thread } from './thread.js';

/** The threads of a service on embedded stores. */
export interface Threads {
  readonly projector: Thread<ProjectorApi>;
  readonly reader: Thread<ReaderApi>;
  readonly access: Thread<AccessApi>;
  readonly diagnostics: Thread<DiagnosticsApi>;
}

/** Starts the threads. They load their code and wait: no store is touched before one of their methods is called. */
export function startThreads({ dataDir, logLevel }: ThreadSettings): Threads {
  const settings: ThreadSettings = { dataDir, logLevel };
  return {
    projector: startThread<ProjectorApi>(new URL('./projector-thread.js', import.meta.url), settings),
    reader: startThread<ReaderApi>(new URL('./reader-thread.js', import.meta.url), settings),
    access: startThread<AccessApi>(new URL('./access-thread.js', import.meta.url), settings),
    diagnostics: startThread<DiagnosticsApi>(new URL('./diagnostics-thread.js', import.meta.url), settings),
  };
}
