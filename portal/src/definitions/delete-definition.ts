import { answerOf, api } from '../api/client';

/** To delete what somebody has read, and no other. */
export interface Deleting {
  readonly id: string;
  /** Of what was read. */
  readonly etag: string;
}

/** Each rejects with 412 where what is there has another tag. */

export const deleteChart = (gridSecondaryId: string, { id: chartId, etag }: Deleting): Promise<unknown> =>
  answerOf(
    api.DELETE('/admin/grids/{gridSecondaryId}/charts/{chartId}', {
      params: { path: { gridSecondaryId, chartId }, header: { 'If-Match': etag } },
    }),
  );

export const deleteDashboard = (gridSecondaryId: string, { id: dashboardId, etag }: Deleting): Promise<unknown> =>
  answerOf(
    api.DELETE('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId }, header: { 'If-Match': etag } },
    }),
  );

export const deleteRule = (gridSecondaryId: string, { id: ruleId, etag }: Deleting): Promise<unknown> =>
  answerOf(
    api.DELETE('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', {
      params: { path: { gridSecondaryId, ruleId }, header: { 'If-Match': etag } },
    }),
  );
