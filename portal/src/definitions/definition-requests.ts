import { api, type Schemas, unwrapResponse, unwrapResponseWithEtag, type WithEtag } from '../api/api-client';

/** What Members and Owners define, as the service has it now, each with the tag that binds a change to it. */

export const readChart = (gridSecondaryId: string, chartId: string): Promise<WithEtag<Schemas['ChartDefinition']>> =>
  unwrapResponseWithEtag(
    api.GET('/admin/grids/{gridSecondaryId}/charts/{chartId}', { params: { path: { gridSecondaryId, chartId } } }),
  );

export const readDashboard = (gridSecondaryId: string, dashboardId: string): Promise<WithEtag<Schemas['Dashboard']>> =>
  unwrapResponseWithEtag(
    api.GET('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId } },
    }),
  );

export const readAlertRule = (gridSecondaryId: string, ruleId: string): Promise<WithEtag<Schemas['AlertRule']>> =>
  unwrapResponseWithEtag(
    api.GET('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', { params: { path: { gridSecondaryId, ruleId } } }),
  );

export const readGrid = (gridSecondaryId: string): Promise<WithEtag<Schemas['Grid']>> =>
  unwrapResponseWithEtag(api.GET('/admin/grids/{gridSecondaryId}', { params: { path: { gridSecondaryId } } }));

/** To replace what somebody has read, and no other. */
export interface ReplaceRequest<Model> {
  readonly id: string;
  readonly body: Model;
  /** Of what was read. */
  readonly etag: string;
}

/** Each rejects with 412 where what is there has another tag. */

export const replaceChart = (
  gridSecondaryId: string,
  { id: chartId, body, etag }: ReplaceRequest<Schemas['ChartModel']>,
): Promise<WithEtag<Schemas['ChartDefinition']>> =>
  unwrapResponseWithEtag(
    api.PUT('/admin/grids/{gridSecondaryId}/charts/{chartId}', {
      params: { path: { gridSecondaryId, chartId }, header: { 'If-Match': etag } },
      body,
    }),
  );

export const replaceDashboard = (
  gridSecondaryId: string,
  { id: dashboardId, body, etag }: ReplaceRequest<Schemas['DashboardModel']>,
): Promise<WithEtag<Schemas['Dashboard']>> =>
  unwrapResponseWithEtag(
    api.PUT('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId }, header: { 'If-Match': etag } },
      body,
    }),
  );

export const replaceAlertRule = (
  gridSecondaryId: string,
  { id: ruleId, body, etag }: ReplaceRequest<Schemas['AlertRuleModel']>,
): Promise<WithEtag<Schemas['AlertRule']>> =>
  unwrapResponseWithEtag(
    api.PUT('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', {
      params: { path: { gridSecondaryId, ruleId }, header: { 'If-Match': etag } },
      body,
    }),
  );

/** To delete what somebody has read, and no other. */
export interface DeleteRequest {
  readonly id: string;
  /** Of what was read. */
  readonly etag: string;
}

/** Each rejects with 412 where what is there has another tag. */

export const deleteChart = (gridSecondaryId: string, { id: chartId, etag }: DeleteRequest): Promise<unknown> =>
  unwrapResponse(
    api.DELETE('/admin/grids/{gridSecondaryId}/charts/{chartId}', {
      params: { path: { gridSecondaryId, chartId }, header: { 'If-Match': etag } },
    }),
  );

export const deleteDashboard = (gridSecondaryId: string, { id: dashboardId, etag }: DeleteRequest): Promise<unknown> =>
  unwrapResponse(
    api.DELETE('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId }, header: { 'If-Match': etag } },
    }),
  );

export const deleteAlertRule = (gridSecondaryId: string, { id: ruleId, etag }: DeleteRequest): Promise<unknown> =>
  unwrapResponse(
    api.DELETE('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', {
      params: { path: { gridSecondaryId, ruleId }, header: { 'If-Match': etag } },
    }),
  );
