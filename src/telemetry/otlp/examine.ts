import type { Examination, ExaminationRequest } from './examination.js';
/** Inflates, translates, validates and names one export request. Pure and synchronous: run it off the serving thread. */
export function examine(request: ExaminationRequest): Examination { void request; throw new Error('being written'); }
