import { DRAWING_VERSION } from '../../charts/render-options.js';
import { drawReport } from '../../queries/slos/slo-report-picture.js';
import { computeEntityTag } from '../requests/request-headers.js';
import { SloReportModel, toReportRequest, validateSloReport } from '../requests/slo-requests.js';
import { ImageResponse } from '../responses/api-responses.js';
import { defineRoute, EVERY_ROLE, type Route } from '../route.js';
import { SloReportBody } from '../schemas/slo-schemas.js';
import { presentReport } from './slo-presenters.js';
import { normalizeUuid } from './value-conversions.js';

const REPORT_PATH = '/apm/slos/{gridSecondaryId}/{sloId}/report';
const REPORT_ROUTE = {
  tag: 'Objectives',
  method: 'GET',
  grid: 'path',
  roles: EVERY_ROLE,
  query: SloReportModel,
  validate: validateSloReport,
  missing: 'The Grid has no objective with this id.',
  refusals: ['conflict'],
} as const;
const LOOK = { width: 1_000, height: 420, theme: 'light' } as const;

/** Reports on one calendar month. */
export const sloReportRoutes: readonly Route[] = [
  defineRoute({
    ...REPORT_ROUTE,
    path: REPORT_PATH,
    operationId: 'getSloReport',
    summary: 'Report on an objective in one month, in figures and as Markdown',
    run: ({ slos }, { params, query }) =>
      slos.sloReport(params.gridSecondaryId, normalizeUuid(params.sloId), toReportRequest(query)),
    responseSchema: SloReportBody,
    present: presentReport,
  }),
  defineRoute({
    ...REPORT_ROUTE,
    path: `${REPORT_PATH}/render`,
    operationId: 'renderSloReport',
    summary: 'Draw how the error budget of an objective was spent in one month',
    mediaType: 'image/png',
    async run({ slos, renderer }, { params, query }) {
      const [gridId, sloId] = [params.gridSecondaryId, normalizeUuid(params.sloId)];
      const report = await slos.sloReport(gridId, sloId, toReportRequest(query));
      const picture = report && drawReport(report);
      return picture && { picture, draw: () => renderer.render(gridId, picture, LOOK) };
    },
    present: ({ picture: { digest, frame }, draw }) =>
      new ImageResponse({
        entityTag: computeEntityTag({ drawing: DRAWING_VERSION, digest, frame }),
        // Late telemetry still counts in a month that is over.
        isClosed: false,
        fileName: 'objective.png',
        draw,
      }),
  }),
];
