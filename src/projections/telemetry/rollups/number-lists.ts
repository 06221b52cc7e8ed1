/** Lists that a list is compared with, newest first: series that are sent together stand together. */
const COMPARED = 4;

/** Lists of numbers, most of them once. What is in it depends on the lists and their order alone. */
export class NumberLists {
  readonly lists: (readonly number[])[] = [];

  /** Index of a list with these numbers. */
  indexOf(numbers: readonly number[]): number {
    const { lists } = this;
    for (let i = lists.length - 1; i >= Math.max(0, lists.length - COMPARED); i--) if (areEqual(lists[i], numbers)) return i;
    return lists.push(numbers) - 1;
  }
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}
