/** A list of any length in a response body. Its items are converted one at a time, while they are sent. */
export class StreamedList<Item, Presented extends object = object> {
  constructor(
    private readonly items: readonly Item[],
    private readonly present: (item: Item) => Presented,
  ) {}

  /** JSON of each item. */
  *texts(): Generator<string, void> {
    for (const item of this.items) yield JSON.stringify(this.present(item));
  }

  /** Makes `JSON.stringify` produce the same text. */
  toJSON(): Presented[] {
    return this.items.map((item) => this.present(item));
  }
}

/** The text of `JSON.stringify(body)` in pieces: one per item of each StreamedList among the members of the body. */
export function* generateJson(body: object): Generator<string, void> {
  const members: [string, unknown][] = Object.entries(body);
  if (!members.some(([, value]) => value instanceof StreamedList)) {
    yield JSON.stringify(body);
    return;
  }
  let lead = '{';
  for (const [name, value] of members) {
    if (value instanceof StreamedList) yield* generateListJson(`${lead}${JSON.stringify(name)}:`, value);
    else {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) continue;
      yield `${lead}${JSON.stringify(name)}:${text}`;
    }
    lead = ',';
  }
  yield '}';
}

function* generateListJson(lead: string, list: Pick<StreamedList<unknown>, 'texts'>): Generator<string, void> {
  yield `${lead}[`;
  let comma = '';
  for (const text of list.texts()) {
    yield comma + text;
    comma = ',';
  }
  yield ']';
}
