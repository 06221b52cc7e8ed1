import { OTHER, ROLLUP_BOUNDS, type LogRollup } from '../../../diagnostics/rollups.js';
import { ExceptionTally } from './exception-tally.js';

interface TemplateTally {
  severity: number;
  count: number;
}

/** A LogRollup that can be added to. */
export class LogTally {
  readonly exceptions: ExceptionTally;
  private readonly severities: number[];
  private readonly templates = new Map<string, TemplateTally>();

  constructor(private readonly rollup: LogRollup) {
    this.severities = [...rollup.severities];
    this.exceptions = new ExceptionTally(rollup.exceptions);
    for (const { template, severity, count } of rollup.templates) this.templates.set(template, { severity, count });
  }

  static empty(service: string): LogTally {
    return new LogTally({ service, severities: [0, 0, 0, 0, 0, 0], templates: [], exceptions: [] });
  }

  /** `level`: 0 for Trace to 5 for Fatal. */
  addSeverity(level: number, count: number): void {
    this.severities[level] += count;
  }

  /** `severity`: the highest number of these records. Templates past the bound count as `__other__`. */
  addTemplate(template: string, severity: number, count: number): void {
    const { templates } = this;
    const isFull = templates.size - (templates.has(OTHER) ? 1 : 0) >= ROLLUP_BOUNDS.templates;
    const name = isFull && !templates.has(template) ? OTHER : template;
    const tally = templates.get(name);
    if (tally === undefined) templates.set(name, { severity, count });
    else {
      tally.count += count;
      tally.severity = Math.max(tally.severity, severity);
    }
  }

  toRollup(): LogRollup {
    const [trace, debug, information, warning, error, fatal] = this.severities;
    return {
      service: this.rollup.service,
      severities: [trace, debug, information, warning, error, fatal],
      templates: [...this.templates].map(([template, tally]) => ({ template, ...tally })),
      exceptions: this.exceptions.rollup(),
    };
  }
}
