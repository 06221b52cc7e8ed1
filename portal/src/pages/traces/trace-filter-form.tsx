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

/** Filters of the trace search, applied on submit. Remounted when the filters in the URL change. */
export function TraceFilterForm({ filters, onChange }: TraceFilterFormProps) {
  const { data } = useTraceOptions();
  const [tagKey, setTagKey] = useState('');
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (name: string): string => (form.get(name) as string).trim();
    const getNumber = (name: string): number | undefined => (getText(name) === '' ? undefined : Number(getText(name)));
    const tag = tagKey.trim() === '' ? [] : [formatKeyValue(tagKey.trim(), getText('value'))];
    onChange({
      service: getText('service'),
      operation: getText('operation'),
      status: getText('status') as TraceFilters['status'],
      min: getNumber('min'),
      max: getNumber('max'),
      tags: [...filters.tags, ...tag],
    });
    setTagKey('');
  };
  return (
    <form className={styles.filters} onSubmit={handleSubmit} aria-label="Filters" key={JSON.stringify(filters)}>
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
        <legend>Duration (ms)</legend>
        <input
          className={controls.input}
          name="min"
          type="number"
          min={0}
          step={1}
          defaultValue={filters.min}
          placeholder="min"
          aria-label="Minimum duration in ms"
        />
        <input
          className={controls.input}
          name="max"
          type="number"
          min={0}
          step={1}
          defaultValue={filters.max}
          placeholder="max"
          aria-label="Maximum duration in ms"
        />
      </fieldset>
      <fieldset className={styles.pair}>
        <legend>Tag</legend>
        <input
          className={controls.input}
          name="key"
          list="tag-keys"
          pattern="[^=]*"
          title="Keys cannot contain ="
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
