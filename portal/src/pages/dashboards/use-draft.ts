import { useCallback, useState } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { freePosition, isSamePlacing, type Placed } from './placed';

export interface DraftChart extends Placed {
  readonly title: string;
}

export interface Draft {
  readonly title: string;
  readonly description: string;
  readonly charts: readonly DraftChart[];
}

const draftOf = ({ title, description, charts }: Schemas['Dashboard']): Draft => ({
  title,
  description,
  charts: charts.map((chart) => ({ chartId: chart.chartId, title: chart.title, position: chart.position })),
});

/** What somebody makes of a dashboard before it is saved. */
export function useDraft({ record: dashboard, etag }: Tagged<Schemas['Dashboard']>) {
  const [draft, setDraft] = useState(() => draftOf(dashboard));
  const [saved, setSaved] = useState(() => draftOf(dashboard));
  const [basedOn, setBasedOn] = useState(etag);
  const isChanged =
    draft.title !== saved.title ||
    draft.description !== saved.description ||
    !isSamePlacing(draft.charts, saved.charts);
  return {
    draft,
    isChanged,
    /** Tag of the dashboard that the draft began with. */
    basedOn,
    change: useCallback((part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part })), []),
    add: useCallback(
      (chart: { readonly id: string; readonly title: string }) =>
        setDraft((current) => ({
          ...current,
          charts: [
            ...current.charts,
            { chartId: chart.id, title: chart.title, position: freePosition(current.charts) },
          ],
        })),
      [],
    ),
    remove: useCallback(
      (chartId: string) =>
        setDraft((current) => ({ ...current, charts: current.charts.filter((chart) => chart.chartId !== chartId) })),
      [],
    ),
    /** What stands now counts as saved, as the service answered. */
    keep: useCallback(
      (answered: Tagged<Schemas['Dashboard']>) => {
        setSaved(draft);
        setBasedOn(answered.etag);
      },
      [draft],
    ),
  };
}
