/** Time (ms) after which the browser has begun to save a file. */
const SAVED_AFTER_MS = 10_000;

/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_AFTER_MS);
}
