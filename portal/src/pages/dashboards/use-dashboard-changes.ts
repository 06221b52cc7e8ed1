import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { dashboardKey, dashboardsKey } from '../../charts/use-dashboards';
import { useGrid } from '../../session/use-session';

type Model = Schemas['DashboardModel'];

/** Somebody else has saved the dashboard since it was opened. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';

  constructor(readonly theirs: Schemas['Dashboard']) {
    super('Somebody has changed this dashboard since you opened it.');
  }
}

interface Replacing {
  readonly dashboardId: string;
  readonly body: Model;
  /** `updatedAt` of what was changed: rejects with `ChangedMeanwhile` where it is another by now. Undefined: whatever there is gives way. */
  readonly basedOn: string | undefined;
}

/** What a Member does with a dashboard. Lists of dashboards are asked for anew after each. */
export function useDashboardChanges() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: dashboardsKey(gridSecondaryId) });
  const create = useMutation({
    mutationFn: (body: Model) => answerOf(api.POST('/admin/grids/{gridSecondaryId}/dashboards', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (dashboardId: string) => answerOf(api.DELETE('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params: { path: { gridSecondaryId, dashboardId } } })),
    onSuccess: refresh,
  });
  const replace = useMutation({
    mutationFn: async ({ dashboardId, body, basedOn }: Replacing) => {
      const params = { path: { gridSecondaryId, dashboardId } };
      if (basedOn !== undefined) {
        const theirs = await answerOf(api.GET('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params }));
        if (theirs.updatedAt !== basedOn) throw new ChangedMeanwhile(theirs);
      }
      return answerOf(api.PUT('/admin/grids/{gridSecondaryId}/dashboards/{dashboardId}', { params, body }));
    },
    onError: (error) => {
      if (error instanceof ChangedMeanwhile) queries.setQueryData(dashboardKey(gridSecondaryId, error.theirs.id), error.theirs);
    },
    onSuccess: (dashboard) => {
      queries.setQueryData(dashboardKey(gridSecondaryId, dashboard.id), dashboard);
      return refresh();
    },
  });
  return { create, remove, replace };
}
