import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { formatCount } from '../../format/number-format';
import { formatClockTime } from '../../format/time-format';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { useEnergy, useUsageStatus } from '../usage/usage-queries';
import { ConversationTurnView } from './conversation-turn';
import { PushToTalkButton } from './speech-input';
import { SpeechSettings, useVoices } from './speech-output';
import { useConversation } from './use-conversation';
import controls from '../../ui/controls.module.css';
import styles from './assistant.module.css';

const SUGGESTED_QUESTIONS = ['Is anything broken?', 'Why is it slow?', 'What changed in the last hour?'] as const;

/** A conversation with the assistant about the Grid. Every answer lists its sources. */
export default function AssistantPage() {
  const { turns, isWaiting, ask, end } = useConversation();
  const { isLive } = useTimeView();
  const status = useUsageStatus();
  const handleAsk = (prompt: string): void => void ask(prompt);
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
            The assistant does not use the selected time. To ask about another time, include it in your question, for
            example “What changed before 14:00?”
          </p>
        )}
        {status.data?.enabled === false ? (
          <EmptyState title="The assistant is switched off in this Grid">
            An Owner can switch it on under Usage and limits.
          </EmptyState>
        ) : (
          <>
            {turns.length === 0 && <SuggestedQuestions onAsk={handleAsk} />}
            <ol className={styles.turns} aria-live="polite" aria-label="Conversation">
              {turns.map((turn, at) => (
                <ConversationTurnView key={turn.id} turn={turn} isLast={at === turns.length - 1} onAsk={handleAsk} />
              ))}
            </ol>
            <PromptForm isWaiting={isWaiting} onAsk={handleAsk} />
            <SpeechSettings />
          </>
        )}
      </div>
    </Page>
  );
}

/** The user's remaining energy and prompts. */
function RemainingQuota() {
  const energy = useEnergy().data;
  const status = useUsageStatus().data;
  const links = usePageLinks();
  if (energy === undefined || status === undefined) return 'Answers questions about this Grid and lists its sources.';
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
    <EmptyState title="Ask a question about your system">
      <span className={controls.row} role="group" aria-label="Suggested questions">
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

/** Input of questions by text or speech. Enter sends, Shift+Enter starts a new line. */
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
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.form} onSubmit={handleSubmit}>
      <label htmlFor="question" className="visually-hidden">
        Your question
      </label>
      <textarea
        id="question"
        className={styles.input}
        placeholder="Ask about services, errors, changes …"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
      />
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={isWaiting || text.trim() === ''}>
          Ask
        </button>
        {hasSpeech && (
          <PushToTalkButton onRecognized={(transcript) => setText((draft) => `${draft} ${transcript}`.trim())} />
        )}
      </div>
    </form>
  );
}
