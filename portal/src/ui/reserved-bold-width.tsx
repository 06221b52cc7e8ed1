import styles from './reserved-bold-width.module.css';

/** Text that always takes the width of its bold form, so that selecting it does not move its neighbours. */
export function ReservedBoldWidth({ text }: { readonly text: string }) {
  return (
    <span className={styles.reserved} data-text={text}>
      {text}
    </span>
  );
}
