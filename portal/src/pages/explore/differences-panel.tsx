import type { Schemas } from '../../api/api-client';
import { formatDuration, formatExactCount, formatPercent } from '../../format/number-format';
import { formatClockTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { writeCondition } from './condition-writer';
import { type HeatmapSelection, writeSelection } from '../../charts/heatmap-cells';
import { useDifferences } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './differences.module.css';

type Differences = Schemas['Differences'];
type Attribute = Differences['attributes'][number];

interface DifferencesPanelProps {
  readonly selection: HeatmapSelection;
  readonly state: ExploreState;
  readonly onClose: () => void;
}

/** What sets the selected spans apart from the others, by exact counts. */
export function DifferencesPanel({ selection, state, onClose }: DifferencesPanelProps) {
  const condition = writeSelection(selection);
  const differences = useDifferences(state.query, condition);
  const { from, to, minMs, maxMs } = selection;
  return (
    <Card
      title="What differs in the selection"
      aside={
        <div className={controls.row}>
          <button
            type="button"
            className={controls.button}
            onClick={() => state.narrow(condition, { show: 'records', orderBy: ['-duration'], columns: [] })}
          >
            List its spans
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Close
          </button>
        </div>
      }
    >
      <p className={styles.quiet}>
        Spans of {formatDuration(minMs)} to {formatDuration(maxMs)}, {formatClockTime(from)} to {formatClockTime(to)},
        compared with all others that meet the condition.
      </p>
      <QueryBoundary query={differences} skeleton={<Skeleton height="16rem" />}>
        {(found) => <DifferenceList found={found} state={state} />}
      </QueryBoundary>
    </Card>
  );
}

const MAX_ATTRIBUTES = 12;

function DifferenceList({ found, state }: { readonly found: Differences; readonly state: ExploreState }) {
  const { attributes, inSelection, outside, compared, leftOut } = found;
  const counts = `${formatExactCount(inSelection)} selected, ${formatExactCount(outside)} others; ${formatExactCount(compared)} fields compared${leftOut === undefined ? '' : `, ${formatExactCount(leftOut)} with too many values left out`}.`;
  if (attributes.length === 0)
    return <p>Nothing differs by more than chance: {counts} Select more or different spans.</p>;
  return (
    <>
      <p className={styles.quiet}>{counts}</p>
      <ol className={styles.list} aria-label="What differs, the largest difference first">
        {attributes.slice(0, MAX_ATTRIBUTES).map((attribute) => (
          <li key={attribute.field}>
            <h3>{attribute.field}</h3>
            <DifferingValues attribute={attribute} found={found} state={state} />
          </li>
        ))}
      </ol>
    </>
  );
}

const MAX_VALUES = 3;

interface DifferingValuesProps {
  readonly attribute: Attribute;
  readonly found: Differences;
  readonly state: ExploreState;
}

function DifferingValues({ attribute: { field, values }, found, state }: DifferingValuesProps) {
  return (
    <table aria-label={`Values of ${field}`}>
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">In selection</th>
          <th scope="col">Outside selection</th>
        </tr>
      </thead>
      <tbody>
        {values.slice(0, MAX_VALUES).map(({ value, inSelection, outside }) => {
          const condition = writeCondition(field, '=', value);
          return (
            <tr key={value}>
              <td>
                {condition === undefined ? (
                  value
                ) : (
                  <button
                    type="button"
                    className={styles.value}
                    title={`Only ${condition}`}
                    onClick={() => state.narrow(condition)}
                  >
                    {value}
                  </button>
                )}
              </td>
              <Share count={inSelection} all={found.inSelection} isSelection />
              <Share count={outside} all={found.outside} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Share({ count, all, isSelection = false }: { count: number; all: number; isSelection?: boolean }) {
  const percent = all === 0 ? 0 : (count / all) * 100;
  return (
    <td title={`${formatExactCount(count)} of ${formatExactCount(all)}`}>
      <span className={styles.share}>
        <span className={styles.track} aria-hidden>
          <span className={isSelection ? styles.selected : styles.other} style={{ width: `${percent}%` }} />
        </span>
        {formatPercent(Number(percent.toPrecision(3)))}
      </span>
    </td>
  );
}
