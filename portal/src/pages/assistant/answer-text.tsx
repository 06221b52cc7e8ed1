import { blocksOf, piecesOf, type Block } from './answer-blocks';
import styles from './assistant.module.css';

/** An answer as text: its structure is shown, its markup is never interpreted as HTML or as a link. */
export function AnswerText({ text }: { readonly text: string }) {
  return (
    <div className={styles.answer}>
      {blocksOf(text).map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3>
          <Line text={block.text} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <Line text={block.text} />
        </p>
      );
    case 'plain':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'bullets':
      return (
        <ul>
          {block.items.map((item, at) => (
            <li key={at}>
              <Line text={item} />
            </li>
          ))}
        </ul>
      );
    case 'numbers':
      return (
        <ol>
          {block.items.map((item, at) => (
            <li key={at}>
              <Line text={item} />
            </li>
          ))}
        </ol>
      );
  }
}

function Line({ text }: { readonly text: string }) {
  return (
    <>
      {piecesOf(text).map(({ kind, text: part }, at) =>
        kind === 'strong' ? <strong key={at}>{part}</strong> : kind === 'code' ? <code key={at}>{part}</code> : part,
      )}
    </>
  );
}
