import { engineSettingsOf } from '../engines/engine-settings.js';
import { absentThread } from './absent-thread.js';
import type { AccessApi } from './access-thread.js';
import type { DiagnosticsApi } from './diagnostics-thread.js';
import type { ProjectorApi } from './projector-thread.js';
import type { ReaderApi } from './reader-thread.js';
import type { ThreadSettings } from './thread-settings.js';
import { startThread, type Thread } from './thread.js';

/** The threads of a service. Those that the roles of the process have no work for are not there: whoever calls them is refused. */
export interface Threads {
  readonly projector: Thread<ProjectorApi>;
  readonly reader: Thread<ReaderApi>;
  readonly access: Thread<AccessApi>;
  readonly diagnostics: Thread<DiagnosticsApi>;
}

/** Picks what threads are given: no other setting leaves the thread that read them. */
export function threadSettingsOf(settings: ThreadSettings): ThreadSettings {
  return { ...engineSettingsOf(settings), logLevel: settings.logLevel, roles: settings.roles };
}

/** Starts the threads. They load their code and wait: no store is touched before one of their methods is called. */
export function startThreads(given: ThreadSettings): Threads {
  const settings = threadSettingsOf(given);
  const { roles } = settings;
  const start = <Api>(file: string, wanted: boolean): Thread<Api> => (wanted ? startThread<Api>(new URL(file, import.meta.url), settings) : absentThread<Api>(roles));
  const [projects, answers] = [roles.has('project'), roles.has('api')];
  return {
    projector: start<ProjectorApi>('./projector-thread.js', projects),
    reader: start<ReaderApi>('./reader-thread.js', answers),
    access: start<AccessApi>('./access-thread.js', true),
    // Alerts are looked for where read models are kept.
    diagnostics: start<DiagnosticsApi>('./diagnostics-thread.js', projects || answers),
  };
}
