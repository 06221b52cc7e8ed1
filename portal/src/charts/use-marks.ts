import { useDiagnostic } from '../api/use-diagnostic';
import { useView } from '../time/use-view';
import type { Marker, Threshold } from '../ui/chart-overlay';
import { watchedValues } from './thresholds';
import { useRules } from './use-rules';

/** What a chart shows beside its values: what rules watch, and when its service was deployed. */
export function useMarks(chart: { readonly metric: string; readonly serviceName: string } | undefined): {
  readonly thresholds: readonly Threshold[];
  readonly markers: readonly Marker[];
} {
  const { view } = useView();
  const rules = useRules();
  const changes = useDiagnostic('changes');
  if (chart === undefined) return { thresholds: [], markers: [] };
  const markers = (changes.data?.changes ?? [])
    .filter(
      ({ type, serviceName }) =>
        type === 'deployment' && (chart.serviceName === '' || serviceName === chart.serviceName),
    )
    .map(({ serviceName, detectedAt, currentVersion }) => ({
      at: Date.parse(detectedAt),
      label: `Deployed ${serviceName} ${currentVersion ?? ''}`.trim(),
    }));
  // Rules have no history: those of today say nothing of a past moment.
  return { thresholds: view.kind === 'past' ? [] : watchedValues(rules.data?.rules ?? [], chart), markers };
}
