/** `1 service`, `2 services`, `no services`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : several}`;
}
