import { api, taggedAnswerOf, type Schemas, type Tagged } from '../api/client';

/** To replace what somebody has read, and no other. */
export interface Replacing<Model> {
  readonly id: string;
  readonly body: Model;
  /** Of what was read. */
  readonly etag: string;
}

/** Each rejects with 412 where what is there has another tag. */

export const replaceChart = (
  gridSecondaryId: string,
  { id: chartId, body, etag }: Replacing<Schemas['ChartModel']>,
): Promise<Tagged<Schemas['ChartDefinition']>> =>
  taggedAnswerOf(
    api.PUT('/admin/grids/{gridSecondaryId}/charts/{chartId}', {
      params: { path: { gridSecondaryId, chartId }, header: { 'If-Match': etag } },
      body,
    }),
  );

export const replaceDashboard = (
  gridSecondaryId: string,
  { id: dashboardId, body, etag }: Replacing<Schemas['DashboardModel']>,
): Promise<Tagged<Schemas['Dashboard']>> =>
  taggedAnswerOf(
    api.PUT('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId }, header: { 'If-Match': etag } },
      body,
    }),
  );

export const replaceRule = (
  gridSecondaryId: string,
  { id: ruleId, body, etag }: Replacing<Schemas['AlertRuleModel']>,
): Promise<Tagged<Schemas['AlertRule']>> =>
  taggedAnswerOf(
    api.PUT('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', {
      params: { path: { gridSecondaryId, ruleId }, header: { 'If-Match': etag } },
      body,
    }),
  );
