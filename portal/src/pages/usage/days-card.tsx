import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { countText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { shareOf } from './days';
import { useUsageSummary } from './use-usage';
import styles from './usage.module.css';

type Day = Schemas['UsageOfDay'];

/** What the Grid used, day by day: the days of the view, and at least seven. */
export function DaysCard() {
  const summary = useUsageSummary();
  return (
    <Card title="The Grid by day">
      <QueryState query={summary}>
        {(data) => (
          <>
            <Totals summary={data} />
            {data.dailyBreakdown.length === 0 ? (
              <EmptyState title="Nobody asked the assistant in these days">
                Choose a longer time, or ask it something.
              </EmptyState>
            ) : (
              <DataTable
                label="Usage by day"
                columns={columnsOf(data.dailyBreakdown)}
                rows={data.dailyBreakdown}
                idOf={({ date }) => date}
              />
            )}
          </>
        )}
      </QueryState>
    </Card>
  );
}

function Totals({ summary }: { readonly summary: Schemas['UsageSummary'] }) {
  return (
    <dl className={styles.totals}>
      <div>
        <dt>Days (UTC)</dt>
        <dd>
          {summary.from.slice(0, 10)} to {summary.to.slice(0, 10)}
        </dd>
      </div>
      <div>
        <dt>Prompts</dt>
        <dd>{countText(summary.totalPrompts)}</dd>
      </div>
      <div>
        <dt>Energy</dt>
        <dd>{countText(summary.totalEnergyConsumed)}</dd>
      </div>
      <div>
        <dt>Texts read aloud</dt>
        <dd>{countText(summary.totalSpeechSyntheses)}</dd>
      </div>
      <div>
        <dt>Recordings understood</dt>
        <dd>{countText(summary.totalSpeechRecognitions)}</dd>
      </div>
    </dl>
  );
}

function columnsOf(days: readonly Day[]): readonly Column<Day>[] {
  const [prompts, energy] = [Math.max(...days.map((day) => day.prompts)), Math.max(...days.map((day) => day.energy))];
  return [
    { title: 'Day (UTC)', cell: ({ date }) => <time dateTime={date}>{date}</time> },
    { title: 'Prompts', cell: (day) => <Bar value={day.prompts} most={prompts} /> },
    { title: 'Energy', cell: (day) => <Bar value={day.energy} most={energy} /> },
  ];
}

/** A value and its length beside the greatest. */
function Bar({ value, most }: { readonly value: number; readonly most: number }) {
  return (
    <div className={styles.bar}>
      {countText(value)}{' '}
      <div className={styles.meter} aria-hidden>
        <span style={{ width: `${most === 0 ? 0 : shareOf(value, most)}%` }} />
      </div>
    </div>
  );
}
