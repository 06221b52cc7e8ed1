import { useState, type FormEvent } from 'react';
import { pairText } from '../../format/pairs';
import type { LogsView } from './use-log-filters';
import { useLogOptions } from './use-log-search';
import controls from '../../ui/controls.module.css';
import styles from './logs.module.css';

/** What to look for; the form is made anew when the address changes. */
export function LogFilterForm({ view: { filters, change } }: { readonly view: LogsView }) {
  const { data } = useLogOptions();
  const [key, setKey] = useState('');
  const enter = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string): string => (form.get(name) as string).trim();
    const pair = key.trim() === '' ? [] : [pairText(key.trim(), textOf('value'))];
    change({
      words: textOf('words'),
      service: textOf('service'),
      trace: textOf('trace'),
      attributes: [...filters.attributes, ...pair],
    });
    setKey('');
  };
  return (
    <form className={styles.filters} onSubmit={enter} aria-label="Filters" key={JSON.stringify(filters)}>
      <label className={`${controls.field} ${styles.words}`}>
        Words
        <input
          className={controls.input}
          type="search"
          name="words"
          defaultValue={filters.words}
          placeholder={'timeout  pay*  "card declined"'}
          title="All words count. A * leaves the end of a word open, quotes keep words together."
        />
      </label>
      <label className={controls.field}>
        Service
        <input
          className={controls.input}
          name="service"
          list="log-services"
          defaultValue={filters.service}
          placeholder="Any"
          autoComplete="off"
        />
        <datalist id="log-services">
          {data?.serviceNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label className={controls.field}>
        Trace
        <input
          className={controls.input}
          name="trace"
          pattern="[0-9a-fA-F]{32}"
          title="A trace id: 32 hexadecimal digits"
          defaultValue={filters.trace}
          placeholder="Any"
          autoComplete="off"
        />
      </label>
      <fieldset className={styles.pair}>
        <legend>Attribute</legend>
        <input
          className={controls.input}
          list="log-keys"
          pattern="[^=]*"
          title="A key without ="
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="key"
          aria-label="Attribute key"
        />
        <input
          className={controls.input}
          name="value"
          placeholder="value"
          aria-label="Attribute value"
          required={key.trim() !== ''}
        />
        <datalist id="log-keys">
          {data?.attributeKeys.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </fieldset>
      <button type="submit" className={controls.primary}>
        Search
      </button>
    </form>
  );
}
