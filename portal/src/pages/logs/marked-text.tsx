import { marked } from './marks';
import styles from './logs.module.css';

/** A text with the search words marked; each piece is text, never markup. */
export function MarkedText({ text, words }: { readonly text: string; readonly words: string }) {
  return (
    <>
      {marked(text, words).map((piece, index) =>
        piece.isHit ? (
          <mark key={index} className={styles.mark}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
