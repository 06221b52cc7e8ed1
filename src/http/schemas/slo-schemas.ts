import Type from 'typebox';
import { INDICATOR_SIGNALS, INDICATOR_TYPES } from '../../diagnostics/slos/slo-model.js';
import { INCIDENT_STATUSES } from '../../diagnostics/incidents/incident-model.js';
import { SLO_STATUSES } from '../../diagnostics/slos/slo-assessment.js';
import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import {
  choice,
  count,
  flag,
  inlineRecord,
  instant,
  listing,
  listOf,
  nullable,
  number,
  record,
  text,
  uuid,
} from './schema-builders.js';

const SavedIndicator = record(
  'SavedIndicator',
  'Which events count, and which of them are good.',
  {
    type: choice(INDICATOR_TYPES, 'What is counted.'),
    serviceName: Type.Optional(text('The service; for availability and latency.', 'checkout')),
    operation: Type.Optional(text('Name of its entry spans; absent: all of them.', 'POST /pay')),
    thresholdMs: Type.Optional(number('Good requests take less than this; for latency. Milliseconds.', 300)),
    signal: Type.Optional(choice(INDICATOR_SIGNALS, 'What the conditions read; for query.')),
    good: Type.Optional(text('Condition of good events; for query.', 'status = OK')),
    all: Type.Optional(text('Condition of all events; for query. Empty: every record.', 'service = checkout')),
  },
  { type: 'availability', serviceName: 'checkout' },
);

const definition = {
  id: uuid('Id of the objective.', '9b1f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21'),
  name: text('Name of the objective.', 'Checkout is available'),
  indicator: SavedIndicator,
  objective: number('Percentage of events that must be good.', 99.9),
  windowDays: count('Length of the window. Days.', 28),
  calendar: flag('Whether the window begins with the week or the month, in UTC.', false),
  alerts: flag('Whether fast burning of the error budget raises alerts.', true),
  excludesMaintenance: flag('Whether events in planned maintenance count neither as good nor as bad.', false),
};

export const SavedSloBody = record('SavedSlo', 'A service level objective of a Grid.', {
  ...definition,
  createdAt: instant('When the objective was created.'),
  updatedAt: instant('When the objective was last changed.'),
});

export const SavedSloList = listing('SavedSloList', 'The service level objectives of a Grid.', {
  slos: listOf(SavedSloBody, 'Sorted by name.'),
});

const ErrorBudget = record('ErrorBudget', 'Bad events that an objective allows among those of its window so far.', {
  total: number('Allowed bad events: (1 − objective) × all events; 3 decimals.', 43.2),
  consumed: count('Bad events.', 12),
  remaining: number('What remains; negative if the objective is missed. 3 decimals.', 31.2),
  remainingPercent: number('Share of the total that remains; 100 without events. Percent, 2 decimals.', 72.22),
});

const BurnRates = record(
  'BurnRates',
  'How fast the budget is used: 1 uses it up exactly by the end of the window. 3 decimals; 0 without events.',
  {
    '5m': number('Over the last 5 minutes.', 0.4),
    '30m': number('Over the last 30 minutes.', 0.6),
    '1h': number('Over the last hour.', 0.8),
    '6h': number('Over the last 6 hours.', 0.7),
    '3d': number('Over the last 3 days, from a whole hour on.', 0.5),
  },
);

const assessment = {
  ...definition,
  from: instant('Start of the window: a whole hour.', '2026-02-14T09:00:00.000Z'),
  to: instant('End of the window: the moment of the assessment.'),
  coveredFrom: nullable(
    instant('Start of the first hour of the window with events.', '2026-02-14T09:00:00.000Z'),
    'Start of the first hour of the window with events; null without any. Earlier events were not stored any more when the objective was created, or there were none.',
  ),
  good: count('Good events of the window.', 43188),
  total: count('All events of the window.', 43200),
  excluded: count('Further events, in maintenance that the objective excludes.', 0),
  sli: nullable(
    number('Percentage of good events; 4 decimals.', 99.9722),
    'Percentage of good events; 4 decimals. Null without events.',
  ),
  errorBudget: ErrorBudget,
  burnRates: BurnRates,
  status: choice(
    SLO_STATUSES,
    '`exhausted`: the objective is missed. `burning`: it is met, but the condition of an alert holds. `no-data`: no events.',
    'met',
  ),
  alert: nullable(
    inlineRecord('The alert condition that holds.', {
      severity: choice(SEVERITIES, 'Severity: critical is for paging somebody, warning for a ticket.', 'critical'),
      condition: text('Condition.', 'burn_rate > 14.4 over 1h and 5m'),
      burnRate: number('Burn rate over the longer window; 3 decimals.', 20.5),
    }),
    'The most urgent alert condition that holds; null if none does.',
  ),
};

export const SloAssessmentBody = record('SloAssessment', 'How an objective is met.', assessment);

export const UncountedSloBody = record('UncountedSlo', 'An objective that could not be counted.', {
  ...definition,
  failure: inlineRecord('Why it could not be counted.', {
    code: text('Code of the error; `internal` if the log of the service says more.', 'unavailable'),
    message: text('The reason.', 'The query took longer than 25 s.'),
  }),
});

export const SloAssessmentList = listing('SloAssessmentList', 'How the objectives of a Grid are met.', {
  slos: listOf(SloAssessmentBody, 'Those that could be counted, sorted by name.'),
  uncounted: listOf(UncountedSloBody, 'Those that could not be counted now, sorted by name; usually empty.'),
});

export const SloDetailBody = record('SloDetail', 'How an objective is met, by the hour.', {
  ...assessment,
  hours: listOf(
    inlineRecord('An hour of the window.', {
      time: instant('Start of the hour.', '2026-03-14T09:00:00.000Z'),
      good: count('Good events.', 598),
      total: count('All events.', 600),
      remainingPercent: number(
        'What remained of the budget of the whole window at the end of the hour. Percent, 2 decimals.',
        95.37,
      ),
    }),
    'Hours with events, in chronological order.',
  ),
});

const backtest = {
  from: instant('Start of the range.', '2026-02-14T09:26:00.000Z'),
  to: instant('End of the range.'),
  coveredFrom: nullable(
    instant('Start of the first minute with events.', '2026-03-07T09:26:00.000Z'),
    'Start of the first minute with events; null without any.',
  ),
  good: count('Good events of the range.', 43188),
  total: count('All events of the range.', 43200),
  sli: nullable(number('Percentage of good events; 4 decimals.', 99.9722), 'Null without events.'),
  proposed: nullable(
    number('The objective that is proposed. Percent.', 99.9),
    'The strictest objective that would have been met with one to three pages, or else with none; null if none would have been met.',
  ),
  backtests: listOf(
    inlineRecord('One objective.', {
      objective: number('Percentage of events that must be good.', 99.9),
      isMet: flag('Whether it would have been met over the range.', true),
      pages: count('How often somebody would have been paged.', 2),
      tickets: count('Alerts that would have been warnings only.', 0),
      summary: text('The same in words.', 'Would have been met, and would have paged twice.'),
      firings: listOf(
        inlineRecord('An alert.', {
          severity: choice(SEVERITIES, 'The highest while it fired.', 'critical'),
          firedAt: instant('When it would have fired.'),
          resolvedAt: nullable(
            instant('When it would have been resolved.', '2026-03-14T09:48:00.000Z'),
            'When it would have been resolved; null if it would still be firing.',
          ),
          peakBurnRate: number('Highest burn rate over the longer window; 3 decimals.', 20.5),
        }),
        'In chronological order, the newest 100.',
      ),
    }),
    'Strictest objective first.',
  ),
};

export const SloBacktestBody = record(
  'SloBacktest',
  'Which alerts objectives would have raised over past days.',
  backtest,
);

export const SloProposalBody = record('SloProposal', 'A service, and which objectives past days would have met.', {
  indicator: SavedIndicator,
  ...backtest,
});

export const SloProposalList = listing('SloProposalList', 'Objectives that are proposed for services.', {
  proposals: listOf(SloProposalBody, 'Services with most spans first, ten at most.'),
});

const ReportedDay = inlineRecord('A day.', {
  day: text('The day, in the zone of the report.', '2026-11-20'),
  good: count('Good events.', 1190),
  total: count('All events.', 1200),
});

const nullableInstant = (description: string) =>
  nullable(instant(description), `${description} Null if not by the end of the report.`);

export const SloReportBody = record('SloReport', 'A report on an objective in one calendar month.', {
  ...definition,
  month: text('The month.', '2026-11'),
  zone: text('Time zone of the month and its days.', 'UTC'),
  from: instant('Start of the month.', '2026-11-01T00:00:00.000Z'),
  to: instant('End of what the report counts: that of the month, or an earlier moment.', '2026-12-01T00:00:00.000Z'),
  isOver: flag('Whether the month is over.', true),
  coveredFrom: assessment.coveredFrom,
  good: count('Good events of the month.', 43188),
  total: count('All events of the month.', 43200),
  excluded: assessment.excluded,
  sli: assessment.sli,
  isMet: flag('Whether no more events were bad than the objective allows.', true),
  errorBudget: ErrorBudget,
  worstDays: listOf(ReportedDay, 'The five days with most bad events.'),
  alertHistory: listOf(
    inlineRecord('An alert of the objective.', {
      severity: choice(SEVERITIES, 'Severity.', 'critical'),
      condition: text('Condition.', 'burn_rate > 14.4 over 1h and 5m'),
      firedAt: instant('When it fired.'),
      resolvedAt: nullableInstant('When it was resolved.'),
    }),
    'Alerts that fired within the month or before it and lasted, oldest first.',
  ),
  incidents: listOf(
    inlineRecord('An incident of which an alert of the objective is a part.', {
      id: text('Id of the incident.', '9b1f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21'),
      title: text('Title of the incident.', 'checkout fails'),
      status: choice(INCIDENT_STATUSES, 'Status at the end of the report.', 'resolved'),
      startedAt: instant('When the fault began.'),
      endedAt: nullableInstant('When it was resolved.'),
    }),
    'Oldest first.',
  ),
  markdown: text('The report as Markdown.', '# Checkout is available: 2026-11'),
});
