import type { Diagnosis } from '../../diagnostics/answers.js';
import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getDiagnosis = diagnosticTool({
  name: 'GetDiagnosis',
  description: 'Probable root causes, the likeliest first, each with confidence, evidence, affected services and the number of traces it touched. Ask it why something is slow or fails.',
  ask: (diagnostics, gridId, when) => diagnostics.diagnosis(gridId, when),
  source: (diagnoses) => ({ type: 'diagnosis', found: counted(diagnoses.length, 'diagnosis', 'diagnoses'), ...figuresOf(diagnoses) }),
});

/** Of the likeliest. */
function figuresOf([first]: readonly Diagnosis[]): { readonly confidence?: number; readonly traceCount?: number } {
  return first === undefined ? {} : { confidence: first.confidence, traceCount: first.impactedTraceCount };
}
