import type { Schemas } from '../../api/client';
import { countText } from '../../format/quantities';
import { Skeleton } from '../../ui/skeleton';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { AnswerText } from './answer-text';
import { ListenButton } from './listen-button';
import { SourceList } from './source-list';
import type { Turn } from './use-conversation';
import styles from './assistant.module.css';

interface TurnViewProps {
  readonly turn: Turn;
  /** Follow-ups are offered at the end of the conversation alone. */
  readonly isLast: boolean;
  readonly onAsk: (prompt: string) => void;
}

/** A question and its answer. */
export function TurnView({ turn: { prompt, reply, fault }, isLast, onAsk }: TurnViewProps) {
  return (
    <li className={styles.turn}>
      <h2 className={styles.prompt}>
        <span className="visually-hidden">You asked: </span>
        {prompt}
      </h2>
      {fault !== undefined && (
        <div className={controls.row}>
          <Status level="warning">Not answered</Status> <span>{fault}</span>
          <button type="button" className={controls.button} onClick={() => onAsk(prompt)}>
            Ask again
          </button>
        </div>
      )}
      {reply === undefined && fault === undefined && (
        <>
          <Skeleton lines={3} />
          <span className="visually-hidden">The assistant is thinking.</span>
        </>
      )}
      {reply !== undefined && <Answer reply={reply} isLast={isLast} onAsk={onAsk} />}
    </li>
  );
}

function Answer({
  reply: { response, sources, suggestedFollowUps, energyConsumed },
  isLast,
  onAsk,
}: { readonly reply: Schemas['ChatReply'] } & Pick<TurnViewProps, 'isLast' | 'onAsk'>) {
  return (
    <>
      <AnswerText text={response} />
      <SourceList sources={sources} />
      <div className={controls.row}>
        <ListenButton text={response} />
        <span className={styles.quiet}>{countText(energyConsumed)} energy</span>
      </div>
      {isLast && suggestedFollowUps.length > 0 && (
        <div className={controls.row} role="group" aria-label="Ask next">
          {suggestedFollowUps.map((question) => (
            <button
              key={question}
              type="button"
              className={`${controls.button} ${styles.question}`}
              onClick={() => onAsk(question)}
            >
              {question}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
