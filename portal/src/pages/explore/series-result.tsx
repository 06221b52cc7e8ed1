import { useMemo } from 'react';
import { TimeChart, type TimeSeries } from '../../charts/time-chart';
import { createUnitFormatter } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { writeGroupCondition } from './group-table';
import { nameGroup } from './top-list';
import type { QueryAnswer } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import styles from './explore.module.css';

interface SeriesResultProps {
  readonly answer: QueryAnswer;
  readonly state: ExploreState;
  /** When the answer came, ms since 1970. */
  readonly askedAt: number;
}

const HEIGHT = 260;
/** Functions whose values add up over groups. */
const ADDS_UP = /^(count|rate|sum)\b/;

/** A chart for each figure, with a line or bars for each group. */
export function SeriesResult({ answer, state, askedAt }: SeriesResultProps) {
  const { change } = useTimeView();
  const { query } = state;
  const groups = answer.series ?? [];
  const figures = answer.columns.slice(query.groupBy.length);
  return (
    <div className="stack">
      {figures.map(({ name, unit }, at) => (
        <section key={name} className={styles.chart}>
          <h3>
            {name} {unit !== '' && <span className={styles.quiet}>{unit}</span>}
          </h3>
          <FigureChart
            answer={answer}
            at={at + 1}
            unit={unit}
            kind={ADDS_UP.test(name) ? 'bar' : 'line'}
            askedAt={askedAt}
            label={`${name} over time, ${groups.length} series. Drag to narrow the time range.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        </section>
      ))}
      {query.groupBy.length > 0 && <GroupButtons answer={answer} state={state} />}
    </div>
  );
}

interface FigureChartProps {
  readonly answer: QueryAnswer;
  /** Index of the figure in each point; the time is at 0. */
  readonly at: number;
  readonly unit: string;
  readonly kind: 'bar' | 'line';
  readonly askedAt: number;
  readonly label: string;
  readonly onBrush: (from: number, to: number) => void;
}

function FigureChart({ answer, at, unit, ...chart }: FigureChartProps) {
  const series = useMemo(
    () =>
      (answer.series ?? []).map(({ group, points }): TimeSeries => ({
        name: nameGroup(answer, group),
        points: points.map((point) => ({
          at: Date.parse(point[0] as string),
          value: typeof point[at] === 'number' ? point[at] : undefined,
        })),
      })),
    [answer, at],
  );
  return <TimeChart series={series} format={createUnitFormatter(unit)} height={HEIGHT} {...chart} />;
}

/** The groups of the chart: a click narrows the query to one. */
function GroupButtons({ answer, state }: Pick<SeriesResultProps, 'answer' | 'state'>) {
  return (
    <ul className={styles.chosen} aria-label="Groups of the chart">
      {(answer.series ?? []).map(({ group }, index) => {
        const condition = writeGroupCondition(state.query.groupBy, group);
        return (
          <li key={index}>
            <button
              type="button"
              className={styles.chip}
              disabled={condition === undefined}
              title={condition === undefined ? undefined : `Only ${condition}`}
              onClick={() => state.narrow(condition)}
            >
              {nameGroup(answer, group)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
