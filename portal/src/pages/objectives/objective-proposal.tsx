import { FlaskConical } from 'lucide-react';
import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { formatExactCount } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { formatShare } from './objective-text';
import { useObjectiveBacktest } from './objective-queries';
import controls from '../../ui/controls.module.css';
import styles from './objectives.module.css';

interface ObjectiveProposalProps {
  readonly request: Omit<Schemas['SloBacktestModel'], 'objective' | 'days'>;
  /** As in the input. */
  readonly objective: string;
  readonly onChoose: (objective: number) => void;
}

/** Compares usual objectives with what happened: how often each would have paged. */
export function ObjectiveProposal({ request, objective, onChoose }: ObjectiveProposalProps) {
  const backtest = useObjectiveBacktest();
  return (
    <section aria-label="Proposal from past telemetry" className={styles.fields}>
      <div className={controls.row}>
        <button
          type="button"
          className={controls.button}
          disabled={backtest.isPending}
          onClick={() => backtest.mutate({ ...request, days: 28 })}
        >
          <FlaskConical size={15} aria-hidden /> Compare with the last 28 days
        </button>
      </div>
      {backtest.error !== null && (
        <p className={controls.error} role="alert">
          {backtest.error.message}
        </p>
      )}
      {backtest.data !== undefined && <Comparison result={backtest.data} objective={objective} onChoose={onChoose} />}
    </section>
  );
}

function Comparison({
  result: { total, sli, coveredFrom, proposed, backtests },
  objective,
  onChoose,
}: {
  readonly result: Schemas['SloBacktest'];
  readonly objective: string;
  readonly onChoose: (objective: number) => void;
}) {
  if (coveredFrom === null) return <p role="status">No events are stored for this.</p>;
  return (
    <>
      <p role="status">
        {formatShare(sli)} of {formatExactCount(total)} events since {formatDateTime(coveredFrom)} were good.{' '}
        {proposed === null ? 'None of these objectives would have been met.' : `Proposed: ${String(proposed)} %.`}
      </p>
      <DataTable
        label="Objectives compared"
        rows={backtests}
        getRowKey={(each) => String(each.objective)}
        columns={[
          {
            title: 'Objective',
            cell: (each) => (
              <button
                type="button"
                className={`${controls.button} ${styles.choice}`}
                aria-pressed={String(each.objective) === objective}
                onClick={() => onChoose(each.objective)}
              >
                {String(each.objective)} %
              </button>
            ),
          },
          { title: 'Over these days', cell: ({ summary }) => summary },
          { title: 'Tickets', isNumber: true, cell: ({ tickets }) => tickets },
        ]}
      />
    </>
  );
}
