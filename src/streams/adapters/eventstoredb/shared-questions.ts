/** Lets everybody who asks the same at the same time wait for one answer. */
export class SharedQuestions<T> {
  readonly #open = new Map<string, Promise<T>>();

  async once(question: string, ask: () => Promise<T>): Promise<T> {
    let answer = this.#open.get(question);
    if (answer === undefined) {
      answer = ask().finally(() => this.#open.delete(question));
      this.#open.set(question, answer);
    }
    return answer;
  }
}
