import styles from './bold-room.module.css';

/** A word that is bold while it is chosen, and always as wide as then: what stands beside it stays. */
export function BoldRoom({ text }: { readonly text: string }) {
  return (
    <span className={styles.room} data-text={text}>
      {text}
    </span>
  );
}
