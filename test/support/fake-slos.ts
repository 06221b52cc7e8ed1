import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { SloReceipt } from '../../src/commands/slos/slo-commands.js';
import { type NewSlo, validateSlo } from '../../src/commands/slos/slo-validation.js';
import { assessSlo, type SloAssessment, type UncountedSlo } from '../../src/diagnostics/slos/slo-assessment.js';
import { utcDay } from '../../src/accounting/utc-calendar.js';
import { buildReport, type ReportInput, type SloReport } from '../../src/diagnostics/slos/slo-report.js';
import { NO_EVENTS } from '../../src/diagnostics/slos/slo-model.js';
import { HindsightError } from '../../src/errors.js';
import type { ApiPorts, SloPort } from '../../src/http/api-call.js';
import type { BacktestRequest, SavedSlo, SloBacktests, SloDetail } from '../../src/queries/slos/slo-query-types.js';
import type { Position } from '../../src/streams/event-store.js';
import { CREATED_ID } from './created-id.js';

export const SLO: SavedSlo = {
  id: '9b1f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21',
  name: 'Checkout is available',
  indicator: {
    ...{ type: 'availability', serviceName: 'checkout', operation: '', thresholdMs: 0 },
    ...{ signal: '', good: '', all: '' },
  },
  objective: 99,
  windowDays: 28,
  calendar: false,
  alerts: true,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
};

/** The body that creates it. */
export const NEW_SLO = {
  name: SLO.name,
  indicator: { type: 'availability', serviceName: 'checkout' },
  objective: 99,
  windowDays: 28,
} as const;

const TO = Date.parse('2026-01-29T10:30:00Z');
const FROM = Date.parse('2026-01-01T10:00:00Z');
const RECENT = { good: 70, total: 100 };

/** 20 of 4,000 bad events in the window, and 30 of 100 in every shorter one. */
export const ASSESSMENT: SloAssessment = assessSlo(SLO, {
  window: { fromMs: FROM, toMs: TO },
  events: { good: 3_980, total: 4_000 },
  excluded: NO_EVENTS,
  burn: { '5m': RECENT, '30m': RECENT, '1h': RECENT, '6h': RECENT, '3d': RECENT },
  coveredFromMs: FROM,
});

export const UNCOUNTED: UncountedSlo = {
  slo: { ...SLO, id: '3d2f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21', name: 'Uncounted' },
  failure: { code: 'unavailable', message: 'The query took longer than 25 s.' },
};

/** A report on January with one bad hour, an alert and its incident. */
const REPORTED: ReportInput = {
  slo: SLO,
  ...{ month: '2026-01', zone: 'UTC', isOver: true, coveredFromMs: FROM },
  window: { fromMs: Date.parse('2026-01-01T00:00:00Z'), toMs: Date.parse('2026-02-01T00:00:00Z') },
  hours: new Map([[FROM / 3_600_000, { good: 3_980, total: 4_000 }]]),
  excluded: NO_EVENTS,
  alerts: [{ severity: 'critical', condition: 'burn_rate > 13.44 over 1h and 5m', firedAt: FROM, resolvedAt: null }],
  incidents: [{ id: 'i1', title: 'checkout fails', status: 'resolved', startedAt: FROM, endedAt: TO }],
};
export const REPORT: SloReport = buildReport(REPORTED, utcDay);

/** One objective in every Grid; records calls without changing state. */
export class FakeSlos implements SloPort {
  readonly done: { readonly name: string; readonly with: readonly unknown[] }[] = [];
  private readonly position = '7' as Position;

  readonly queries: ApiPorts['slos'] = {
    slos: async (...of) => (this.note('slos', ...of), [SLO]),
    slo: async (gridId, sloId) => (this.note('slo', gridId, sloId), sloId === SLO.id ? SLO : undefined),
    assessSlos: async (...of) => (this.note('assessSlos', ...of), { assessed: [ASSESSMENT], uncounted: [UNCOUNTED] }),
    sloDetail: async (...of): Promise<SloDetail | undefined> => {
      this.note('sloDetail', ...of);
      if (of[1] !== SLO.id) return undefined;
      return { ...ASSESSMENT, hours: [{ at: FROM, good: 3_980, total: 4_000, remainingPercent: 50 }] };
    },
    proposeSlos: async (...of) => {
      this.note('proposeSlos', ...of);
      return [
        {
          indicator: SLO.indicator,
          ...this.backtest({
            ...{ indicator: SLO.indicator, objectives: [99.5], days: 28 },
            ...{ windowDays: 28, excludesMaintenance: false },
          }),
        },
      ];
    },
    sloReport: async (...of) => (this.note('sloReport', ...of), of[1] === SLO.id ? REPORT : undefined),
    backtestSlo: async (...of) => (this.note('backtestSlo', ...of), this.backtest(of[1])),
  };

  async createSlo(actor: string, gridId: string, slo: NewSlo): Promise<SloReceipt> {
    this.note('createSlo', actor, gridId, slo);
    return this.accept(CREATED_ID, slo);
  }

  async changeSlo(actor: string, gridId: string, sloId: string, slo: NewSlo): Promise<SloReceipt> {
    this.note('changeSlo', actor, gridId, sloId, slo);
    requireKnown(sloId);
    return this.accept(sloId, slo);
  }

  async removeSlo(actor: string, gridId: string, sloId: string): Promise<CommandReceipt> {
    this.note('removeSlo', actor, gridId, sloId);
    requireKnown(sloId);
    return { position: this.position };
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.note('waitForPosition', position);
    return Promise.resolve(true);
  }

  private backtest({ objectives }: BacktestRequest): SloBacktests {
    const firing = { severity: 'critical', firedAt: FROM, resolvedAt: null, peakBurnRate: 20 } as const;
    return {
      range: { fromMs: FROM, toMs: TO },
      coveredFromMs: FROM,
      events: { good: 3_980, total: 4_000 },
      backtests: objectives.map((objective) => ({ objective, isMet: objective <= 99.5, firings: [firing] })),
      proposed: 99.5,
    };
  }

  private accept(id: string, slo: NewSlo): SloReceipt {
    const faults = validateSlo(slo);
    if (faults.length > 0) throw new HindsightError('invalid-request', 'There are faults.', faults);
    const { createdAt, updatedAt } = SLO;
    return { slo: { ...slo, id, createdAt, updatedAt }, position: this.position };
  }

  private note(name: string, ...values: readonly unknown[]): void {
    this.done.push({ name, with: values });
  }
}

export function fakeSlos(): { readonly slos: ApiPorts['slos']; readonly sloCommands: FakeSlos } {
  const sloCommands = new FakeSlos();
  return { slos: sloCommands.queries, sloCommands };
}

function requireKnown(id: string): void {
  if (id !== SLO.id) throw new HindsightError('not-found', 'There is nothing of this id.');
}
