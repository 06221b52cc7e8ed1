import type { RecordedCase, RecordedRequest } from './fault-recordings.js';

/** Of a diagnosis, what is scored. Times in ms. */
export interface ScoredDiagnosis {
  readonly serviceName: string | null;
  readonly kind: string;
  readonly confidence: number;
  readonly severity: string;
  readonly firstDetected: number;
}

export type DiagnosisTime = { readonly rangeStart: number; readonly rangeEnd: number } | { readonly asOf: number };

/** Something that takes in the telemetry of a case and is asked for its diagnosis. */
export interface Diagnoser {
  diagnose(asked: DiagnosisTime): Promise<readonly ScoredDiagnosis[]>;
  close(): Promise<void>;
}

export type OpenDiagnoser = (recorded: RecordedCase, requests: readonly RecordedRequest[]) => Promise<Diagnoser>;
