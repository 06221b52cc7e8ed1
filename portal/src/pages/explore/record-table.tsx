import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useShowMore } from '../../components/data-table';
import { type AnswerColumn, CellText } from './cell-text';
import type { QuerySignal } from './explore-query';
import { SortableHead } from './group-table';
import { RecordDetails, writeRecordCondition } from './record-details';
import { nameRecordField, readRecordField, readRecordText } from './record-fields';
import type { QueryAnswer } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

type Row = readonly unknown[];

/** Columns that are shown unless others are chosen. */
const FIRST_COLUMNS: Readonly<Record<QuerySignal, readonly string[]>> = {
  spans: ['time', 'service', 'operation', 'duration', 'status', 'traceId'],
  logs: ['time', 'severity', 'service', 'body', 'traceId'],
  metrics: ['time', 'metric', 'service', 'value', 'unit'],
};

export function listVisibleColumns(answer: QueryAnswer, { query }: ExploreState): readonly string[] {
  if (query.columns.length > 0) return query.columns;
  const names = new Set(answer.columns.map(({ name }) => name));
  return FIRST_COLUMNS[query.signal].filter((name) => names.has(name));
}

/** Records with all that was sent. */
export function RecordTable({ answer, state }: { readonly answer: QueryAnswer; readonly state: ExploreState }) {
  const names = listVisibleColumns(answer, state);
  const { first, more } = useShowMore<Row>(answer.rows ?? []);
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <div className={styles.scroll} role="region" aria-label="Records" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Details</span>
              </th>
              {names.map((name) => (
                <RecordHead key={name} name={name} answer={answer} state={state} />
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((row, index) => {
              const id = identifyRecord(answer, row, index);
              return (
                <Fragment key={id}>
                  <RecordRow
                    answer={answer}
                    row={row}
                    names={names}
                    state={state}
                    isOpen={opened === id}
                    onToggle={() => setOpened(opened === id ? undefined : id)}
                  />
                  {opened === id && (
                    <tr>
                      <td colSpan={names.length + 1}>
                        <RecordDetails answer={answer} row={row} state={state} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

function describeColumn({ columns }: QueryAnswer, name: string): AnswerColumn {
  return columns.find((column) => column.name === name) ?? { name, type: 'string', unit: '' };
}

/** The head of a column; those that no order can name do not sort. */
function RecordHead({ name, answer, state }: { readonly name: string } & Pick<RecordRowProps, 'answer' | 'state'>) {
  const column = describeColumn(answer, name);
  const field = nameRecordField(state.query.signal, answer, name);
  if (field === undefined) return <th scope="col">{name}</th>;
  return <SortableHead column={column} orderName={field} state={state} />;
}

function identifyRecord(answer: QueryAnswer, row: Row, index: number): string {
  const ids = ['id', 'spanId', 'time'].map((name) => readRecordText(answer, row, name));
  return answer.columns.some(({ name }) => name === 'metric') ? `${ids.join(' ')} ${index}` : ids.join(' ');
}

interface RecordRowProps {
  readonly answer: QueryAnswer;
  readonly row: Row;
  readonly names: readonly string[];
  readonly state: ExploreState;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function RecordRow({ answer, row, names, state, isOpen, onToggle }: RecordRowProps) {
  const time = readRecordText(answer, row, 'time');
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <tr>
      <td>
        <button
          type="button"
          className={controls.icon}
          aria-expanded={isOpen}
          aria-label={`Details of the record of ${time}`}
          onClick={onToggle}
        >
          <Icon size={15} aria-hidden />
        </button>
      </td>
      {names.map((name) => {
        const column = describeColumn(answer, name);
        const cell = readRecordField(answer, row, name);
        const condition = writeRecordCondition(state.query.signal, answer, name, cell);
        return (
          <td key={name} className={column.type === 'number' ? 'number' : undefined}>
            {condition === undefined ? (
              <CellText cell={cell} column={column} />
            ) : (
              <button
                type="button"
                className={styles.cell}
                title={`Only ${condition}`}
                onClick={() => state.narrow(condition)}
              >
                <CellText cell={cell} column={column} />
              </button>
            )}
          </td>
        );
      })}
    </tr>
  );
}
