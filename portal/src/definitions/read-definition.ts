import { api, taggedAnswerOf, type Schemas, type Tagged } from '../api/client';

/** What Members and Owners define, as the service has it now, each with the tag that binds a change to it. */

export const readChart = (gridSecondaryId: string, chartId: string): Promise<Tagged<Schemas['ChartDefinition']>> =>
  taggedAnswerOf(
    api.GET('/admin/grids/{gridSecondaryId}/charts/{chartId}', { params: { path: { gridSecondaryId, chartId } } }),
  );

export const readDashboard = (gridSecondaryId: string, dashboardId: string): Promise<Tagged<Schemas['Dashboard']>> =>
  taggedAnswerOf(
    api.GET('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', {
      params: { path: { gridSecondaryId, dashboardId } },
    }),
  );

export const readRule = (gridSecondaryId: string, ruleId: string): Promise<Tagged<Schemas['AlertRule']>> =>
  taggedAnswerOf(
    api.GET('/admin/grids/{gridSecondaryId}/alert-rules/{ruleId}', { params: { path: { gridSecondaryId, ruleId } } }),
  );

export const readGrid = (gridSecondaryId: string): Promise<Tagged<Schemas['Grid']>> =>
  taggedAnswerOf(api.GET('/admin/grids/{gridSecondaryId}', { params: { path: { gridSecondaryId } } }));
