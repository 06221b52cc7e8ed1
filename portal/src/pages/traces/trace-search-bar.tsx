import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { describeConditionFault, hasOperator } from './trace-condition';
import { describeMatches } from './trace-match-count';
import type { TraceSearch } from './use-trace-search';
import controls from '../../ui/controls.module.css';
import styles from './trace-search.module.css';

interface TraceSearchBarProps {
  /** The text that was searched for. */
  readonly text: string;
  readonly traceId: string;
  readonly matches: TraceSearch;
  /** Place of the selected span among the matches, from 1; 0: it is none of them. */
  readonly place: number;
  readonly onSearch: (text: string) => void;
  readonly onMove: (step: 1 | -1) => void;
}

/** Search within a trace. Words are looked for as they are typed, a condition with Enter, which then moves on to the next match. */
export function TraceSearchBar({ text, traceId, matches, place, onSearch, onMove }: TraceSearchBarProps) {
  const [draft, setDraft] = useState(text);
  const id = useId();
  useEffect(() => setDraft(text), [text]);
  const handleChange = (next: string): void => {
    setDraft(next);
    if (!hasOperator(next)) onSearch(next);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return handleChange('');
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (draft === text) onMove(event.shiftKey ? -1 : 1);
    else onSearch(draft);
  };
  const isEmpty = matches.spanIds.length === 0;
  return (
    <div className={styles.bar} role="search" aria-label="Search in the trace">
      <label className={styles.field} htmlFor={id}>
        <Search size={15} aria-hidden />
        <span className={styles.hidden}>Find spans</span>
      </label>
      <input
        id={id}
        type="search"
        className={`${controls.input} ${styles.input}`}
        placeholder="Name, service, error, or a condition: customer.tier = gold"
        aria-describedby={`${id}-found`}
        value={draft}
        onChange={(event) => handleChange(event.target.value)}
        onKeyDown={handleKeyDown}
      />
      <button
        type="button"
        className={controls.icon}
        disabled={isEmpty}
        aria-label="Previous match"
        title="Previous match (Shift+Enter)"
        onClick={() => onMove(-1)}
      >
        <ChevronUp size={16} aria-hidden />
      </button>
      <button
        type="button"
        className={controls.icon}
        disabled={isEmpty}
        aria-label="Next match"
        title="Next match (Enter)"
        onClick={() => onMove(1)}
      >
        <ChevronDown size={16} aria-hidden />
      </button>
      <span id={`${id}-found`} role="status" className={styles.found}>
        {draft !== text ? 'Enter searches' : describeSearch(text, traceId, matches, place)}
      </span>
    </div>
  );
}

/** How many spans match, or what is wrong with a condition, and where. */
function describeSearch(text: string, traceId: string, search: TraceSearch, place: number): string {
  if (text.trim() === '') return '';
  if (search.error !== null) return describeError(traceId, search.error);
  return search.isPending ? 'Searching …' : describeMatches(search, place);
}

function describeError(traceId: string, error: Error): string {
  const [fault] = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return fault === undefined ? error.message : describeConditionFault(traceId, fault.message);
}
