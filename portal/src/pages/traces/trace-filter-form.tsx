import { useState, type FormEvent } from 'react';
import { formatKeyValue } from '../../format/key-value-pairs';
import type { TraceFilters } from './trace-filters';
import { useTraceOptions } from './trace-search-queries';
import controls from '../../ui/controls.module.css';
import styles from './traces-page.module.css';

interface TraceFilterFormProps {
  readonly filters: TraceFilters;
  readonly onChange: (filters: Partial<TraceFilters>) => void;
}

/** What to look for. Typed words count once they are entered; the form is made anew when the address changes. */
export function TraceFilterForm({ filters, onChange }: TraceFilterFormProps) {
  const { data } = useTraceOptions();
  const [tagKey, setTagKey] = useState('');
  const enter = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string): string => (form.get(name) as string).trim();
    const wholeOf = (name: string): number | undefined => (textOf(name) === '' ? undefined : Number(textOf(name)));
    const tag = tagKey.trim() === '' ? [] : [formatKeyValue(tagKey.trim(), textOf('value'))];
    onChange({
      service: textOf('service'),
      operation: textOf('operation'),
      status: textOf('status') as TraceFilters['status'],
      min: wholeOf('min'),
      max: wholeOf('max'),
      tags: [...filters.tags, ...tag],
    });
    setTagKey('');
  };
  return (
    <form className={styles.filters} onSubmit={enter} aria-label="Filters" key={JSON.stringify(filters)}>
      <SuggestionInput name="service" label="Service" value={filters.service} options={data?.serviceNames} />
      <SuggestionInput name="operation" label="Operation" value={filters.operation} options={data?.operationNames} />
      <label className={controls.field}>
        Status
        <select
          className={controls.select}
          name="status"
          defaultValue={filters.status}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        >
          <option value="">Any</option>
          <option value="ERROR">With errors</option>
          <option value="OK">Without errors</option>
        </select>
      </label>
      <fieldset className={styles.pair}>
        <legend>Duration, ms</legend>
        <input
          className={controls.input}
          name="min"
          type="number"
          min={0}
          step={1}
          defaultValue={filters.min}
          placeholder="from"
          aria-label="Shortest duration in ms"
        />
        <input
          className={controls.input}
          name="max"
          type="number"
          min={0}
          step={1}
          defaultValue={filters.max}
          placeholder="to"
          aria-label="Longest duration in ms"
        />
      </fieldset>
      <fieldset className={styles.pair}>
        <legend>Tag</legend>
        <input
          className={controls.input}
          name="key"
          list="tag-keys"
          pattern="[^=]*"
          title="A key without ="
          value={tagKey}
          onChange={(event) => setTagKey(event.target.value)}
          placeholder="key"
          aria-label="Tag key"
        />
        <input
          className={controls.input}
          name="value"
          placeholder="value"
          aria-label="Tag value"
          required={tagKey.trim() !== ''}
        />
        <datalist id="tag-keys">
          {data?.tagKeys.map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      </fieldset>
      <button type="submit" className={controls.primary}>
        Search
      </button>
    </form>
  );
}

interface SuggestionInputProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[] | undefined;
}

function SuggestionInput({ name, label, value, options = [] }: SuggestionInputProps) {
  return (
    <label className={controls.field}>
      {label}
      <input
        className={controls.input}
        name={name}
        list={`${name}-options`}
        defaultValue={value}
        placeholder="Any"
        autoComplete="off"
      />
      <datalist id={`${name}-options`}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  );
}
