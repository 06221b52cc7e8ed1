import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { AttributeTable } from '../../ui/attribute-table';
import { writeCondition } from './condition-writer';
import type { QuerySignal } from './explore-query';
import { listOtherMembers, listRecordColumns, nameRecordField, readRecordField, readRecordText } from './record-fields';
import type { QueryAnswer } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

interface RecordDetailsProps {
  readonly answer: QueryAnswer;
  readonly row: readonly unknown[];
  readonly state: ExploreState;
}

/** Fields whose values identify one record or a moment: a condition on them would leave nothing to explore. */
const NOT_NARROWED: ReadonlySet<string> = new Set([
  'time',
  'traceId',
  'spanId',
  'parentSpanId',
  'body',
  'observedTime',
]);

/** The condition of the records with this value of a field; undefined if it would be of no use. */
export function writeRecordCondition(
  signal: QuerySignal,
  answer: QueryAnswer,
  name: string,
  value: unknown,
): string | undefined {
  const field = NOT_NARROWED.has(name) ? undefined : nameRecordField(signal, answer, name);
  if (field === undefined || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  return writeCondition(field, '=', value);
}

const MS_AROUND = 1_000;

/** All fields of a record, each with a button that narrows the query, and links to where it came from. */
export function RecordDetails({ answer, row, state }: RecordDetailsProps) {
  const { signal } = state.query;
  const attributes = listRecordColumns({ columns: answer.columns, rows: [row] })
    .map((key) => ({ key, value: readRecordField(answer, row, key) }))
    .filter(({ value }) => value !== null && value !== '')
    .map(({ key, value }) => ({ key, value: typeof value === 'number' ? value : writeText(value) }));
  const others = listOtherMembers(answer, row).map(([key, value]) => ({ key, value }));
  const otherNames = new Set(others.map(({ key }) => key));
  return (
    <div className={styles.details}>
      <RecordLinks answer={answer} row={row} state={state} />
      <AttributeTable
        label="Fields of the record"
        attributes={[...attributes, ...others]}
        action={({ key, value }) => {
          const condition = otherNames.has(key) ? undefined : writeRecordCondition(signal, answer, key, value);
          return condition === undefined ? null : (
            <button
              type="button"
              className={styles.cell}
              aria-label={`Only ${condition}`}
              onClick={() => state.narrow(condition)}
            >
              Only
            </button>
          );
        }}
      />
    </div>
  );
}

function RecordLinks({ answer, row, state }: RecordDetailsProps) {
  const links = usePageLinks();
  const read = (name: string): string => readRecordText(answer, row, name);
  const at = Date.parse(read('time'));
  return (
    <p className={controls.row}>
      {read('traceId') !== '' && <Link to={links.span(read('traceId'), read('spanId'))}>Open its trace</Link>}
      {state.query.signal === 'logs' && !Number.isNaN(at) && (
        <Link
          to={links.page(
            'logs',
            { service: read('service'), trace: read('traceId'), entry: read('id') },
            { kind: 'range', from: at - MS_AROUND, to: at + MS_AROUND },
          )}
        >
          Open in the logs
        </Link>
      )}
    </p>
  );
}

const writeText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
