import { api, type Schemas, unwrapResponse, unwrapResponseWithEtag, type WithEtag } from '../api/api-client';

/** Current definitions, each with the ETag to send when it is changed. */

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

/** Replaces exactly the version that was read. */
export interface ReplaceRequest<Model> {
  readonly id: string;
  readonly body: Model;
  /** ETag of the version that was read. */
  readonly etag: string;
}

/** As all requests below, rejects with status 412 if the current version has another ETag. */

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

/** Deletes exactly the version that was read. */
export interface DeleteRequest {
  readonly id: string;
  /** ETag of the version that was read. */
  readonly etag: string;
}

/** As all requests below, rejects with status 412 if the current version has another ETag. */

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
