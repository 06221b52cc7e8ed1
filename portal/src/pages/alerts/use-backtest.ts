import { useMutation } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';

export interface Tried {
  readonly rule: Schemas['AlertRuleModel'];
  readonly answer: Schemas['Backtest'];
  readonly range: { readonly from: number; readonly to: number };
}

/** Tries a rule over the time that all pages look at. */
export function useBacktest() {
  const { gridSecondaryId } = useGrid();
  const { range } = useView();
  return useMutation({
    mutationFn: async (rule: Schemas['AlertRuleModel']): Promise<Tried> => {
      const asked = range();
      const answer = await answerOf(
        api.POST('/admin/grids/{gridSecondaryId}/alert-rules/backtest', {
          params: { path: { gridSecondaryId } },
          body: { rule, ...asked },
        }),
      );
      return { rule, answer, range: { from: Date.parse(asked.rangeStart), to: Date.parse(asked.rangeEnd) } };
    },
  });
}
