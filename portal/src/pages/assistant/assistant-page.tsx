import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { formatClockTime } from '../../format/time-format';
import { formatCount } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import controls from '../../ui/controls.module.css';
import { useEnergy, useUsageStatus } from '../usage/usage-queries';
import { SpeechSettings, useVoices } from './speech-output';
import { ConversationTurnView } from './conversation-turn';
import { useConversation } from './use-conversation';
import styles from './assistant.module.css';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { PushToTalkButton } from './speech-input';

const SUGGESTED_QUESTIONS = ['Is anything broken?', 'Why is it slow?', 'What changed in the last hour?'] as const;

/** A conversation about the Grid. Every answer says what it rests on. */
export default function AssistantPage() {
  const { turns, isWaiting, ask, end } = useConversation();
  const { isLive } = useTimeView();
  const status = useUsageStatus();
  const send = (prompt: string): void => void ask(prompt);
  return (
    <Page
      title="Assistant"
      lead={<RemainingQuota />}
      actions={
        turns.length > 0 && (
          <button type="button" className={controls.button} disabled={isWaiting} onClick={() => void end()}>
            New conversation
          </button>
        )
      }
    >
      <div className={styles.page}>
        {!isLive && (
          <p className={styles.quiet}>
            The assistant answers about now. To ask about another time, name it in your question, such as “What changed
            before 14:00?”
          </p>
        )}
        {status.data?.enabled === false ? (
          <EmptyState title="The assistant is switched off in this Grid">
            An Owner can switch it on under Usage and limits.
          </EmptyState>
        ) : (
          <>
            {turns.length === 0 && <SuggestedQuestions onAsk={send} />}
            <ol className={styles.turns} aria-live="polite" aria-label="Conversation">
              {turns.map((turn, at) => (
                <ConversationTurnView key={turn.id} turn={turn} isLast={at === turns.length - 1} onAsk={send} />
              ))}
            </ol>
            <PromptForm isWaiting={isWaiting} onAsk={send} />
            <SpeechSettings />
          </>
        )}
      </div>
    </Page>
  );
}

/** What the user may still ask for. */
function RemainingQuota() {
  const energy = useEnergy().data;
  const status = useUsageStatus().data;
  const links = usePageLinks();
  if (energy === undefined || status === undefined) return 'It reads the same data as you, and says what it read.';
  const { currentEnergy, maxEnergy, nextRegenerationAt } = energy;
  return (
    <>
      {formatCount(currentEnergy)} of {formatCount(maxEnergy)} energy
      {currentEnergy < maxEnergy && `, more at ${formatClockTime(nextRegenerationAt)}`} ·{' '}
      {formatCount(Math.max(0, status.promptLimitToday - status.promptsUsedToday))} prompts left today ·{' '}
      <Link to={links.page('usage')}>Usage</Link>
    </>
  );
}

function SuggestedQuestions({ onAsk }: { readonly onAsk: (prompt: string) => void }) {
  return (
    <EmptyState title="Ask what you would ask a colleague">
      <span className={controls.row} role="group" aria-label="Questions to begin with">
        {SUGGESTED_QUESTIONS.map((question) => (
          <button
            key={question}
            type="button"
            className={`${controls.button} ${styles.question}`}
            onClick={() => onAsk(question)}
          >
            {question}
          </button>
        ))}
      </span>
    </EmptyState>
  );
}

/** Where one writes, or speaks. Enter sends, Shift and Enter makes a new line. */
export function PromptForm({
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
        {hasSpeech && <PushToTalkButton onUnderstood={(heard) => setText((written) => `${written} ${heard}`.trim())} />}
      </div>
    </form>
  );
}
