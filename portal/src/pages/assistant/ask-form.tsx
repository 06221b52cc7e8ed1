import { useState, type FormEvent, type KeyboardEvent } from 'react';
import controls from '../../ui/controls.module.css';
import { PushToTalk } from './push-to-talk';
import { useVoices } from './use-voices';
import styles from './assistant.module.css';

/** Where one writes, or speaks. Enter sends, Shift and Enter makes a new line. */
export function AskForm({
  isWaiting,
  onAsk,
}: {
  readonly isWaiting: boolean;
  readonly onAsk: (prompt: string) => void;
}) {
  const [text, setText] = useState('');
  const hasSpeech = useVoices().data !== undefined;
  const send = (): void => {
    if (text.trim() === '' || isWaiting) return;
    onAsk(text.trim());
    setText('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor="question" className="visually-hidden">
        Your question
      </label>
      <textarea
        id="question"
        className={styles.input}
        placeholder="Ask about services, errors, changes …"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={isWaiting || text.trim() === ''}>
          Ask
        </button>
        {hasSpeech && <PushToTalk onUnderstood={(heard) => setText((written) => `${written} ${heard}`.trim())} />}
      </div>
    </form>
  );
}
