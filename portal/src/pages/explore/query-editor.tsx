import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { describeFault, findSyntaxFault } from '../../../../src/queries/query/language/expected-tokens';
import type { QuerySignal } from './explore-query';
import { highlightQuery } from './query-highlighting';
import { type Suggestion, useSuggestions } from './query-suggestions';
import controls from '../../ui/controls.module.css';
import styles from './query-editor.module.css';

interface QueryEditorProps {
  readonly signal: QuerySignal;
  /** The condition that is in effect. */
  readonly where: string;
  /** Runs the query; absent: there is nothing to run. */
  readonly onRun?: (where: string) => void;
  /** Receives the text while it is typed. */
  readonly onChange?: (where: string) => void;
  /** What the service says is wrong. */
  readonly error: string | undefined;
}

const EXAMPLES: Readonly<Record<QuerySignal, string>> = {
  spans: 'service = checkout and duration > 250ms',
  logs: 'severity = Error timeout not upstream',
  metrics: 'metric = jvm.memory.used',
};

/**
 * The line of a condition: a text area, coloured and completed by the grammar that the service parses it with. A text
 * area keeps what people know of text fields: undo, spelling of the keyboard, screen readers.
 */
export function QueryEditor({ signal, where, onRun, onChange, error }: QueryEditorProps) {
  const [text, setLine] = useState(where);
  const [caret, setCaret] = useState(where.length);
  useEffect(() => setLine(where), [where]);
  const setText = (next: string): void => {
    setLine(next);
    onChange?.(next);
  };
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const { place, suggestions } = useSuggestions(signal, text, caret);
  const list = useSuggestionList(suggestions);
  const accept = ({ insert }: Suggestion): void => {
    setText(text.slice(0, place.from) + insert + text.slice(caret));
    moveCaret(place.from + insert.length);
    list.open();
  };
  const moveCaret = (at: number): void => {
    setCaret(at);
    requestAnimationFrame(() => area.current?.setSelectionRange(at, at));
    area.current?.focus();
  };
  const [fault, setFault] = useState<string>();
  const run = (): void => {
    list.close();
    const found = findSyntaxFault(text);
    setFault(found && describeFault(found));
    if (found === undefined) onRun?.(text.trim());
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const isHandled = list.handleKey(event, accept);
    if (!isHandled && event.key === 'Enter' && !event.shiftKey) run();
    else if (!isHandled) return;
    event.preventDefault();
  };
  const handleSelect = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void =>
    setCaret(currentTarget.selectionEnd);
  const message = fault === undefined ? error && `The condition ${error}` : `The condition ${fault}`;
  return (
    <div className={styles.editor}>
      <label htmlFor={`${id}-text`}>Condition</label>
      <div className={styles.line}>
        <div className={styles.field}>
          <HighlightedQuery text={text} />
          <textarea
            ref={area}
            id={`${id}-text`}
            rows={1}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={text}
            placeholder={`All records. For example: ${EXAMPLES[signal]}`}
            aria-describedby={`${id}-help`}
            aria-invalid={message !== undefined}
            aria-autocomplete="list"
            aria-controls={`${id}-list`}
            aria-activedescendant={list.active === undefined ? undefined : `${id}-${list.active}`}
            onChange={(event) => {
              setText(event.target.value);
              setCaret(event.target.selectionEnd);
              list.open();
            }}
            onSelect={handleSelect}
            onKeyDown={handleKeyDown}
            onBlur={list.close}
          />
        </div>
        {onRun !== undefined && (
          <button type="button" className={controls.primary} onClick={run}>
            Run
          </button>
        )}
      </div>
      <SuggestionList id={id} list={list} onAccept={accept} />
      <p
        id={`${id}-help`}
        className={message === undefined ? styles.help : styles.error}
        role={message === undefined ? undefined : 'alert'}
      >
        {message ??
          `${onRun === undefined ? 'Arrow' : 'Enter runs the query, arrow'} down selects a suggestion, Ctrl+Space shows all suggestions.`}
      </p>
    </div>
  );
}

/** The text in colours, behind the text area, whose own text is transparent. */
function HighlightedQuery({ text }: { readonly text: string }) {
  return (
    <div className={styles.colours} aria-hidden>
      {highlightQuery(text).map((token, at) => (
        <span key={at} className={styles[token.kind === 'field' ? 'name' : token.kind]}>
          {token.text}
        </span>
      ))}
      {/* A line that ends with a line feed has another one. */}
      {'\u200b'}
    </div>
  );
}

type ListState = ReturnType<typeof useSuggestionList>;

/** The list below the line: whether it is open, and which of its entries is chosen. */
function useSuggestionList(suggestions: readonly Suggestion[]) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const shown = isOpen ? suggestions : [];
  const active = chosen >= 0 && chosen < shown.length ? chosen : undefined;
  const show = (isShown: boolean): void => {
    setOpen(isShown);
    setChosen(-1);
  };
  /** Returns whether the key is meant for the list. */
  const handleKey = (event: KeyboardEvent, accept: (suggestion: Suggestion) => void): boolean => {
    if (event.key === ' ' && event.ctrlKey) show(true);
    else if (event.key === 'Escape' && shown.length > 0) show(false);
    else if (event.key === 'ArrowDown' && shown.length > 0) setChosen(((active ?? -1) + 1) % shown.length);
    else if (event.key === 'ArrowUp' && active !== undefined) setChosen(active - 1);
    else if (event.key === 'Enter' && active !== undefined) accept(shown[active]!);
    else return false;
    return true;
  };
  return { shown, active, handleKey, open: () => show(true), close: () => show(false) };
}

interface SuggestionListProps {
  readonly id: string;
  readonly list: ListState;
  readonly onAccept: (suggestion: Suggestion) => void;
}

function SuggestionList({ id, list: { shown, active }, onAccept }: SuggestionListProps) {
  return (
    <div className={styles.place}>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        className={shown.length === 0 ? styles.closed : styles.list}
      >
        {shown.map((suggestion, at) => (
          <div
            key={suggestion.label}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            className={at === active ? styles.active : styles.option}
            // Before the text area loses the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              onAccept(suggestion);
            }}
          >
            <span>{suggestion.label}</span> <span className={styles.detail}>{suggestion.detail}</span>
          </div>
        ))}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {shown.length === 0 ? '' : `${shown.length} suggestions`}
      </p>
    </div>
  );
}
