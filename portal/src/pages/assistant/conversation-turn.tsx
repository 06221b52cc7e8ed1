import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { formatCount, formatPercent } from '../../format/number-format';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { type AnswerBlock, parseBlocks, parseInlineSegments } from './answer-markdown';
import { resolveSourceTarget } from './source-targets';
import { ReadAloudButton } from './speech-output';
import type { ConversationTurn } from './use-conversation';
import controls from '../../ui/controls.module.css';
import styles from './assistant.module.css';

interface ConversationTurnViewProps {
  readonly turn: ConversationTurn;
  /** Follow-up questions are only suggested after the last turn. */
  readonly isLast: boolean;
  readonly onAsk: (prompt: string) => void;
}

/** A question with its answer or error. */
export function ConversationTurnView({ turn: { prompt, reply, error }, isLast, onAsk }: ConversationTurnViewProps) {
  return (
    <li className={styles.turn}>
      <h2 className={styles.prompt}>
        <span className="visually-hidden">You asked: </span>
        {prompt}
      </h2>
      {error !== undefined && (
        <div className={controls.row}>
          <StatusBadge level="warning">Failed</StatusBadge> <span>{error}</span>
          <button type="button" className={controls.button} onClick={() => onAsk(prompt)}>
            Try again
          </button>
        </div>
      )}
      {reply === undefined && error === undefined && (
        <>
          <Skeleton lines={3} />
          <span className="visually-hidden">The assistant is thinking.</span>
        </>
      )}
      {reply !== undefined && <TurnAnswer reply={reply} isLast={isLast} onAsk={onAsk} />}
    </li>
  );
}

function TurnAnswer({
  reply: { response, sources, suggestedFollowUps, energyConsumed },
  isLast,
  onAsk,
}: { readonly reply: Schemas['ChatReply'] } & Pick<ConversationTurnViewProps, 'isLast' | 'onAsk'>) {
  return (
    <>
      <AnswerText text={response} />
      <SourceList sources={sources} />
      <div className={controls.row}>
        <ReadAloudButton text={response} />
        <span className={styles.quiet}>{formatCount(energyConsumed)} energy</span>
      </div>
      {isLast && suggestedFollowUps.length > 0 && (
        <div className={controls.row} role="group" aria-label="Suggested follow-up questions">
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

/** Renders the structure of an answer. Its text is never interpreted as HTML or links. */
function AnswerText({ text }: { readonly text: string }) {
  return (
    <div className={styles.answer}>
      {parseBlocks(text).map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: AnswerBlock }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3>
          <InlineText text={block.text} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      );
    case 'plain':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'bullets':
      return (
        <ul>
          {block.items.map((item, at) => (
            <li key={at}>
              <InlineText text={item} />
            </li>
          ))}
        </ul>
      );
    case 'numbers':
      return (
        <ol>
          {block.items.map((item, at) => (
            <li key={at}>
              <InlineText text={item} />
            </li>
          ))}
        </ol>
      );
  }
}

function InlineText({ text }: { readonly text: string }) {
  return (
    <>
      {parseInlineSegments(text).map(({ kind, text: part }, at) =>
        kind === 'strong' ? <strong key={at}>{part}</strong> : kind === 'code' ? <code key={at}>{part}</code> : part,
      )}
    </>
  );
}

type Source = Schemas['Source'];

/** The sources of an answer, linked to the pages that show them. */
function SourceList({ sources }: { readonly sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className={styles.sources} aria-label="Sources">
      <h3>Sources</h3>
      <ul>
        {sources.map((source, at) => (
          <li key={at}>
            <SourceLink source={source} />
            <SourceConfidence source={source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceLink({ source }: { readonly source: Source }) {
  const links = usePageLinks();
  const target = resolveSourceTarget(source);
  const label = `${source.type.replaceAll('-', ' ')}: ${source.description}`;
  if (target === undefined) return <>{label}</>;
  const to =
    target.kind === 'page'
      ? links.page(target.page, target.parameters)
      : target.kind === 'service'
        ? links.service(target.id)
        : links.trace(target.id);
  return <Link to={to}>{label}</Link>;
}

function SourceConfidence({ source: { confidence, traceCount } }: { readonly source: Source }) {
  const parts = [
    confidence !== undefined && `${formatPercent(Math.round(confidence * 100))} confidence`,
    traceCount !== undefined && `${formatCount(traceCount)} traces`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <span className={styles.quiet}> ({parts.join(', ')})</span>;
}
