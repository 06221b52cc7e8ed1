interface KeyPress {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether a key is pressed by itself. With others it belongs to the browser, as Alt and an arrow do, or to the palette. */
export const isPlain = ({ altKey, ctrlKey, metaKey }: KeyPress): boolean => !altKey && !ctrlKey && !metaKey;
