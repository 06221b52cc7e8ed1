import type { RecordedCase, RecordedRequest } from './fault-recordings.js';

/** The scored parts of a diagnosis. Times in ms. */
export interface ScoredDiagnosis {
  readonly serviceName: string | null;
  readonly kind: string;
  readonly confidence: number;
  readonly severity: string;
  readonly firstDetected: number;
}

export type DiagnosisTime = { readonly rangeStart: number; readonly rangeEnd: number } | { readonly asOf: number };

/** Ingests the telemetry of a case and returns its diagnosis. */
export interface Diagnoser {
  diagnose(time: DiagnosisTime): Promise<readonly ScoredDiagnosis[]>;
  close(): Promise<void>;
}

export type OpenDiagnoser = (recorded: RecordedCase, requests: readonly RecordedRequest[]) => Promise<Diagnoser>;
