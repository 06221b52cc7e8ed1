import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCharts } from '../../diagnostics/use-chart-data';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { VirtualRows } from '../../ui/virtual-rows';
import controls from '../../ui/controls.module.css';
import styles from './board.module.css';

interface ChartChoiceProps {
  readonly placed: ReadonlySet<string>;
  readonly onAdd: (chart: { readonly id: string; readonly title: string }) => void;
}

/** Charts of the Grid's own, which are what a dashboard can show. */
export function ChartChoice({ placed, onAdd }: ChartChoiceProps) {
  const charts = useCharts();
  const [words, setWords] = useState('');
  return (
    <Card title="Add charts">
      <div className="stack">
        <input
          type="search"
          className={controls.input}
          aria-label="Find a chart"
          placeholder="Find a chart"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <QueryState query={charts}>
          {({ charts: all }) => {
            const found = all.filter(
              ({ id, title, builtIn }) =>
                !builtIn && !placed.has(id) && title.toLowerCase().includes(words.trim().toLowerCase()),
            );
            if (found.length === 0)
              return (
                <p className={styles.quiet}>
                  {words === ''
                    ? 'No chart is left to add. Save one on the page of metrics.'
                    : 'No chart of this name.'}
                </p>
              );
            return (
              <VirtualRows items={found} rowHeight={44} idOf={({ id }) => id} label="Charts to add" height="14rem">
                {(chart) => (
                  <div className={styles.choice}>
                    <span title={chart.title}>{chart.title}</span>
                    <button
                      type="button"
                      className={controls.button}
                      aria-label={`Add ${chart.title}`}
                      onClick={() => onAdd(chart)}
                    >
                      <Plus size={14} aria-hidden /> Add
                    </button>
                  </div>
                )}
              </VirtualRows>
            );
          }}
        </QueryState>
      </div>
    </Card>
  );
}
