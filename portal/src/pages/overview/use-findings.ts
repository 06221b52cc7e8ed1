import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useView } from '../../time/use-view';
import { useHeld } from '../../ui/use-held';
import { newsOf, type Findings } from './news';

/** What of the overview comes and goes, and moves what stands below it. */
export interface Diagnostics {
  readonly diagnosis: UseQueryResult<Schemas['Diagnoses']>;
  readonly alerts: UseQueryResult<Schemas['Alerts']>;
  readonly pressure: UseQueryResult<Schemas['PressurePoints']>;
  readonly timeline: UseQueryResult<Schemas['Timeline']>;
}

/** The latest, and what is shown of it: while somebody points at the page, what was there when the hand came. `news` tells what has come up since. */
export function useFindings() {
  const { key } = useView();
  const latest: Diagnostics = {
    diagnosis: useDiagnostic('diagnosis'),
    alerts: useDiagnostic('alerts'),
    pressure: useDiagnostic('pressure'),
    timeline: useDiagnostic('timeline'),
  };
  // Of this view at last, or for the first time: nothing of before is worth being kept.
  const arrived = Object.values(latest).map(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData);
  const { value: shown, release, handlers } = useHeld(latest, [key, ...arrived].join(' '));
  return { latest, shown, release, handlers, news: newsOf(findingsOf(shown), findingsOf(latest)) };
}

const findingsOf = ({ diagnosis, alerts, pressure }: Diagnostics): Findings => ({
  causes: diagnosis.data?.diagnoses ?? [],
  alerts: alerts.data?.alerts ?? [],
  pressed: pressure.data?.pressurePoints ?? [],
});
