import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { clockText } from '../../format/moments';
import { countText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import controls from '../../ui/controls.module.css';
import { useEnergy, useUsageStatus } from '../usage/use-usage';
import { AskForm } from './ask-form';
import { SpeechSettings } from './speech-settings';
import { TurnView } from './turn-view';
import { useConversation } from './use-conversation';
import styles from './assistant.module.css';

const FIRST_QUESTIONS = ['Is anything broken?', 'Why is it slow?', 'What changed in the last hour?'] as const;

/** A conversation about the Grid. Every answer says what it rests on. */
export default function AssistantPage() {
  const { turns, isWaiting, ask, end } = useConversation();
  const { isLive } = useView();
  const status = useUsageStatus();
  const send = (prompt: string): void => void ask(prompt);
  return (
    <Page
      title="Assistant"
      lead={<Left />}
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
            {turns.length === 0 && <FirstQuestions onAsk={send} />}
            <ol className={styles.turns} aria-live="polite" aria-label="Conversation">
              {turns.map((turn, at) => (
                <TurnView key={turn.id} turn={turn} isLast={at === turns.length - 1} onAsk={send} />
              ))}
            </ol>
            <AskForm isWaiting={isWaiting} onAsk={send} />
            <SpeechSettings />
          </>
        )}
      </div>
    </Page>
  );
}

/** What the user may still ask for. */
function Left() {
  const energy = useEnergy().data;
  const status = useUsageStatus().data;
  const links = useLinks();
  if (energy === undefined || status === undefined) return 'It reads the same data as you, and says what it read.';
  const { currentEnergy, maxEnergy, nextRegenerationAt } = energy;
  return (
    <>
      {countText(currentEnergy)} of {countText(maxEnergy)} energy
      {currentEnergy < maxEnergy && `, more at ${clockText(nextRegenerationAt)}`} ·{' '}
      {countText(Math.max(0, status.promptLimitToday - status.promptsUsedToday))} prompts left today ·{' '}
      <Link to={links.page('usage')}>Usage</Link>
    </>
  );
}

function FirstQuestions({ onAsk }: { readonly onAsk: (prompt: string) => void }) {
  return (
    <EmptyState title="Ask what you would ask a colleague">
      <span className={controls.row} role="group" aria-label="Questions to begin with">
        {FIRST_QUESTIONS.map((question) => (
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
