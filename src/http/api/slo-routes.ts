import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { CANDIDATE_OBJECTIVES } from '../../diagnostics/slos/slo-backtest.js';
import { toTimeSelection } from '../requests/diagnostics-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import {
  SloBacktestModel,
  SloModel,
  SloTimeModel,
  toIndicator,
  toNewSlo,
  validateSloTime,
} from '../requests/slo-requests.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import {
  SavedSloBody,
  SavedSloList,
  SloAssessmentList,
  SloBacktestBody,
  SloDetailBody,
  SloProposalList,
} from '../schemas/slo-schemas.js';
import { DEFINITION_ROUTE, toPrecondition } from './definition-changes.js';
import {
  presentAssessment,
  presentBacktests,
  presentDetail,
  presentProposal,
  presentSlo,
  presentUncounted,
} from './slo-presenters.js';
import { normalizeUuid } from './value-conversions.js';

const SLOS_PATH = '/admin/grids/{gridSecondaryId}/slos';
const SLO_PATH = `${SLOS_PATH}/{sloId}` as const;
const TAG = 'Objectives';
const SLO_ROUTE = { ...DEFINITION_ROUTE, tag: TAG } as const;
const ASSESSMENT_ROUTE = {
  tag: TAG,
  method: 'GET',
  grid: 'path',
  roles: EVERY_ROLE,
  query: SloTimeModel,
  validate: validateSloTime,
} as const;
const SLO_NOT_FOUND = 'The Grid has no objective with this id.';

export const sloRoutes: readonly Route[] = [
  defineRoute({
    ...ASSESSMENT_ROUTE,
    path: '/apm/slos/{gridSecondaryId}',
    operationId: 'assessSlos',
    summary: 'Read how the service level objectives are met: budgets and burn rates',
    run: ({ slos }, { params, query }) => slos.assessSlos(params.gridSecondaryId, toTimeSelection(query).asOfMs),
    responseSchema: SloAssessmentList,
    present: ({ assessed, uncounted }) => ({
      slos: assessed.map(presentAssessment),
      uncounted: uncounted.map(presentUncounted),
    }),
  }),
  defineRoute({
    ...ASSESSMENT_ROUTE,
    path: '/apm/slos/{gridSecondaryId}/{sloId}',
    operationId: 'getSloDetail',
    summary: 'Read how one objective is met, by the hour',
    missing: SLO_NOT_FOUND,
    refusals: ['conflict'],
    run: ({ slos }, { params, query }) =>
      slos.sloDetail(params.gridSecondaryId, normalizeUuid(params.sloId), toTimeSelection(query).asOfMs),
    responseSchema: SloDetailBody,
    present: presentDetail,
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    grid: 'path',
    roles: EVERY_ROLE,
    path: '/apm/slos/{gridSecondaryId}/proposals',
    operationId: 'proposeSlos',
    summary: 'Propose objectives for the availability of the busiest services',
    run: ({ slos }, { params }) => slos.proposeSlos(params.gridSecondaryId),
    responseSchema: SloProposalList,
    present: (proposals) => ({ proposals: proposals.map(presentProposal) }),
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'GET',
    path: SLOS_PATH,
    operationId: 'listSlos',
    summary: 'List the service level objectives of a Grid',
    run: ({ slos }, { params }) => slos.slos(params.gridSecondaryId),
    responseSchema: SavedSloList,
    present: (slos) => ({ slos: slos.map(presentSlo) }),
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'POST',
    path: SLOS_PATH,
    tagged: true,
    operationId: 'createSlo',
    summary: 'Create a service level objective',
    status: 201,
    body: SloModel,
    refusals: ['conflict', 'not-found'],
    run: ({ sloCommands }, { principal, params, body }) =>
      waitUntilVisible(sloCommands, sloCommands.createSlo(principal.id, params.gridSecondaryId, toNewSlo(body))),
    responseSchema: SavedSloBody,
    present: ({ slo }) => presentSlo(slo),
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'GET',
    path: SLO_PATH,
    tagged: true,
    operationId: 'getSlo',
    summary: 'Read a service level objective',
    missing: SLO_NOT_FOUND,
    run: ({ slos }, { params }) => slos.slo(params.gridSecondaryId, normalizeUuid(params.sloId)),
    responseSchema: SavedSloBody,
    present: presentSlo,
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'PUT',
    path: SLO_PATH,
    tagged: true,
    operationId: 'replaceSlo',
    summary: 'Replace a service level objective',
    body: SloModel,
    refusals: ['conflict', 'not-found'],
    run({ sloCommands }, { principal, params, body, condition }) {
      const [gridId, sloId] = [params.gridSecondaryId, normalizeUuid(params.sloId)];
      const onlyIf = toPrecondition(condition, presentSlo);
      return waitUntilVisible(sloCommands, sloCommands.changeSlo(principal.id, gridId, sloId, toNewSlo(body), onlyIf));
    },
    responseSchema: SavedSloBody,
    present: ({ slo }) => presentSlo(slo),
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'DELETE',
    path: SLO_PATH,
    tagged: true,
    operationId: 'deleteSlo',
    summary: 'Delete a service level objective and resolve its alerts',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ sloCommands }, { principal, params, condition }) {
      const [gridId, sloId] = [params.gridSecondaryId, normalizeUuid(params.sloId)];
      const onlyIf = toPrecondition(condition, presentSlo);
      return waitUntilVisible(sloCommands, sloCommands.removeSlo(principal.id, gridId, sloId, onlyIf));
    },
    present: () => new EMPTY_REQUEST(),
  }),
  defineRoute({
    ...SLO_ROUTE,
    method: 'POST',
    path: `${SLOS_PATH}/backtest`,
    operationId: 'backtestSlo',
    summary: 'Test objectives against past data, and propose one',
    body: SloBacktestModel,
    run: ({ slos }, { params, body: { indicator, objective, days, windowDays, excludesMaintenance } }) =>
      slos.backtestSlo(params.gridSecondaryId, {
        indicator: toIndicator(indicator),
        objectives: objective === undefined ? CANDIDATE_OBJECTIVES : [objective],
        ...{ days, windowDays, excludesMaintenance },
      }),
    responseSchema: SloBacktestBody,
    present: presentBacktests,
  }),
];
