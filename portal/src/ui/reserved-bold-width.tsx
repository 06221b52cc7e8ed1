import styles from './reserved-bold-width.module.css';

/** A word that is bold while it is chosen, and always as wide as then: what stands beside it stays. */
export function ReservedBoldWidth({ text }: { readonly text: string }) {
  return (
    <span className={styles.room} data-text={text}>
      {text}
    </span>
  );
}
