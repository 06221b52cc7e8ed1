import { countText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { WINDOWS } from '../../time/view';
import { EmptyState } from '../../ui/empty-state';
import { chipsOf, type TraceFilters } from './filters';
import { useTraceCounts } from './use-trace-search';
import controls from '../../ui/controls.module.css';
import styles from './traces.module.css';

interface NoTracesProps {
  readonly filters: TraceFilters;
  readonly onChange: (filters: Partial<TraceFilters>) => void;
}

/** Where nothing is found: which filter excludes how many, and how to look wider. */
export function NoTraces({ filters, onChange }: NoTracesProps) {
  const chips = chipsOf(filters);
  const counts = useTraceCounts(chips.map(({ without }) => without));
  const freed = chips
    .map((chip, index) => ({ ...chip, count: counts[index]?.data ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const isKnown = counts.every(({ isPending }) => !isPending);
  return (
    <div>
      <EmptyState title="No traces found">
        {chips.length === 0
          ? 'No service has sent spans that began in this time.'
          : freed.length > 0
            ? 'Without one of these filters there would be some:'
            : isKnown
              ? 'No single filter is the reason. Clear them, or look at a longer time.'
              : 'Looking for the filter that excludes most …'}
      </EmptyState>
      <div className={styles.ways}>
        {freed.map(({ text, without, count }) => (
          <button key={text} type="button" className={controls.button} onClick={() => onChange(without)}>
            Without “{text}”: {countText(count)}
          </button>
        ))}
        <Wider />
      </div>
    </div>
  );
}

/** The next longer window. */
function Wider() {
  const { view, change } = useView();
  const wider = view.kind === 'range' ? undefined : WINDOWS.find(({ ms }) => ms > view.windowMs);
  if (view.kind === 'range') {
    const by = view.to - view.from;
    return (
      <button type="button" className={controls.button} onClick={() => change({ ...view, from: view.from - by })}>
        Begin earlier, twice as long
      </button>
    );
  }
  return wider === undefined ? null : (
    <button type="button" className={controls.button} onClick={() => change({ ...view, windowMs: wider.ms })}>
      {wider.label}
    </button>
  );
}
