import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { CONDITION_OPERATORS, type ConditionOperator, writeCondition } from './condition-writer';
import {
  type ExploreQuery,
  FUNCTIONS_WITH_OPTIONAL_FIELD,
  FUNCTIONS_WITHOUT_FIELD,
  listFunctions,
  type QuerySignal,
  STEPS_SECONDS,
  writeFunction,
} from './explore-query';
import { type KnownField, useKnownFields, useKnownValues } from './query-suggestions';
import type { ExploreState } from './use-explore-query';
import { formatDuration, formatExactCount } from '../../format/number-format';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

/** Controls that write the query: conditions into its line, and groups, functions, step, order and limit. */
export function QueryBuilder({ state }: { readonly state: ExploreState }) {
  const { query, change } = state;
  const fields = useKnownFields(query.signal);
  const hasGroups = query.show !== 'records' && query.show !== 'heatmap';
  return (
    <div className={styles.builder}>
      <ConditionForm key={query.signal} signal={query.signal} fields={fields} onAdd={state.narrow} />
      {hasGroups && (
        <>
          <GroupByForm
            fields={fields}
            groupBy={query.groupBy}
            onChange={(groupBy) => change({ groupBy, orderBy: [], columns: [] })}
          />
          <FunctionForm
            signal={query.signal}
            fields={fields}
            select={query.select}
            onChange={(select) => change({ select, orderBy: [], columns: [] })}
          />
        </>
      )}
      <LimitForm query={query} change={change} />
    </div>
  );
}

interface FieldInputProps {
  readonly label: string;
  readonly fields: readonly KnownField[];
  readonly value: string;
  readonly isRequired?: boolean;
  readonly onChange: (name: string) => void;
}

/** A field by its name, with those that are known. */
export function FieldInput({ label, fields, value, isRequired = true, onChange }: FieldInputProps) {
  const id = useId();
  return (
    <>
      <input
        className={controls.input}
        aria-label={label}
        list={id}
        value={value}
        required={isRequired}
        placeholder="field"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {fields.map(({ name, description }) => (
          <option key={name} value={name} label={description} />
        ))}
      </datalist>
    </>
  );
}

interface ConditionFormProps {
  readonly signal: QuerySignal;
  readonly fields: readonly KnownField[];
  readonly onAdd: ExploreState['narrow'];
}

function ConditionForm({ signal, fields, onAdd }: ConditionFormProps) {
  const [field, setField] = useState('');
  const [operator, setOperator] = useState<ConditionOperator>('=');
  const [value, setValue] = useState('');
  const known = fields.some(({ name }) => name === field) ? field : undefined;
  const values = useKnownValues(signal, known);
  const id = useId();
  const takesValue = !operator.endsWith('exists');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onAdd(writeCondition(field.trim(), operator, value));
    setField('');
    setValue('');
  };
  return (
    <form onSubmit={handleSubmit} className={styles.part} aria-label="Add a condition">
      <span className={styles.name}>Where</span>
      <FieldInput label="Field of the condition" fields={fields} value={field} onChange={setField} />
      <select
        className={controls.select}
        aria-label="Operator"
        value={operator}
        onChange={(event) => setOperator(event.target.value as ConditionOperator)}
      >
        {CONDITION_OPERATORS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {takesValue && (
        <>
          <input
            className={controls.input}
            aria-label="Value"
            list={id}
            value={value}
            placeholder="value"
            autoComplete="off"
            onChange={(event) => setValue(event.target.value)}
          />
          <datalist id={id}>
            {values.map((each) => (
              <option
                key={String(each.value)}
                value={String(each.value)}
                label={`${formatExactCount(each.count)} records`}
              />
            ))}
          </datalist>
        </>
      )}
      <button type="submit" className={controls.button}>
        Add condition
      </button>
    </form>
  );
}

interface ChosenProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onRemove: (name: string) => void;
}

/** What is chosen, each with a button that removes it. */
function Chosen({ label, chosen, onRemove }: ChosenProps) {
  if (chosen.length === 0) return null;
  return (
    <ul className={styles.chosen} aria-label={label}>
      {chosen.map((name) => (
        <li key={name}>
          <button type="button" className={styles.chip} onClick={() => onRemove(name)} title={`Remove ${name}`}>
            <span>{name}</span> <X size={13} aria-label="Remove" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface GroupByFormProps {
  readonly fields: readonly KnownField[];
  readonly groupBy: readonly string[];
  readonly onChange: (groupBy: readonly string[]) => void;
}

export function GroupByForm({ fields, groupBy, onChange }: GroupByFormProps) {
  const [field, setField] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onChange([...new Set([...groupBy, field.trim()])]);
    setField('');
  };
  return (
    <form onSubmit={handleSubmit} className={styles.part} aria-label="Group by">
      <span className={styles.name}>Group by</span>
      <Chosen label="Groups" chosen={groupBy} onRemove={(name) => onChange(groupBy.filter((each) => each !== name))} />
      <FieldInput label="Field to group by" fields={fields} value={field} onChange={setField} />
      <button type="submit" className={controls.button}>
        Add group
      </button>
    </form>
  );
}

interface FunctionFormProps {
  readonly signal: QuerySignal;
  readonly fields: readonly KnownField[];
  readonly select: readonly string[];
  readonly onChange: (select: readonly string[]) => void;
}

function FunctionForm({ signal, fields, select, onChange }: FunctionFormProps) {
  const [fn, setFn] = useState('count');
  const [field, setField] = useState('');
  const takesField = !FUNCTIONS_WITHOUT_FIELD.has(fn);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onChange([...new Set([...select, writeFunction({ fn, field: takesField ? field.trim() : '' })])]);
    setField('');
  };
  return (
    <form onSubmit={handleSubmit} className={styles.part} aria-label="Calculate">
      <span className={styles.name}>Calculate</span>
      <Chosen label="Functions" chosen={select} onRemove={(name) => onChange(select.filter((each) => each !== name))} />
      <select
        className={controls.select}
        aria-label="Function"
        value={fn}
        onChange={(event) => setFn(event.target.value)}
      >
        {listFunctions(signal).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {takesField && (
        <FieldInput
          label="Field of the function"
          fields={fields}
          value={field}
          isRequired={!FUNCTIONS_WITH_OPTIONAL_FIELD.has(fn)}
          onChange={setField}
        />
      )}
      <button type="submit" className={controls.button}>
        Add function
      </button>
    </form>
  );
}

/** Order, step and limit. */
function LimitForm({ query, change }: { readonly query: ExploreQuery; readonly change: ExploreState['change'] }) {
  const { show, groupBy, select, orderBy, stepSeconds, limit } = query;
  const columns = show === 'records' ? ORDERS_OF_RECORDS[query.signal] : [...groupBy, ...select];
  const [first = ''] = orderBy;
  return (
    <div className={styles.part}>
      {show !== 'heatmap' && (
        <label className={styles.choice}>
          Order
          <select
            className={controls.select}
            value={first}
            onChange={(event) => change({ orderBy: event.target.value === '' ? [] : [event.target.value] })}
          >
            <option value="">{show === 'records' ? 'Newest first' : 'Default'}</option>
            {columns.flatMap((column) => [
              <option key={`-${column}`} value={`-${column}`}>
                {column}, largest first
              </option>,
              <option key={column} value={column}>
                {column}, smallest first
              </option>,
            ])}
          </select>
        </label>
      )}
      {(show === 'series' || show === 'heatmap') && (
        <label className={styles.choice}>
          Step
          <select
            className={controls.select}
            value={stepSeconds ?? ''}
            onChange={(event) => change({ stepSeconds: Number(event.target.value) || undefined })}
          >
            <option value="">Automatic</option>
            {[...new Set([...STEPS_SECONDS, ...(stepSeconds === undefined ? [] : [stepSeconds])])].map((step) => (
              <option key={step} value={step}>
                {formatDuration(step * 1_000)}
              </option>
            ))}
          </select>
        </label>
      )}
      {show !== 'heatmap' && (
        <label className={styles.choice}>
          Limit
          <input
            key={limit}
            className={controls.input}
            type="number"
            min={1}
            max={1_000}
            placeholder={{ series: '10', records: '200' }[show as string] ?? '100'}
            defaultValue={limit}
            onBlur={(event) => {
              const next = Number(event.target.value) || undefined;
              // Each change is an entry of the history.
              if (next !== limit) change({ limit: next });
            }}
          />
        </label>
      )}
    </div>
  );
}

/** Fields by which records are sorted most often; the heads of columns sort by the others. */
const ORDERS_OF_RECORDS: Readonly<Record<QuerySignal, readonly string[]>> = {
  spans: ['time', 'duration'],
  logs: ['time', 'severityNumber'],
  metrics: ['time', 'value'],
};
