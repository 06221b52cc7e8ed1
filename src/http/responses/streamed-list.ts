/** A list in an answer whose items are presented while they are written, one at a time: it may be very long. */
export class StreamedList<Item, Presented extends object = object> {
  constructor(
    private readonly items: readonly Item[],
    private readonly present: (item: Item) => Presented,
  ) {}

  /** JSON of each item. */
  *texts(): Generator<string, void> {
    for (const item of this.items) yield JSON.stringify(this.present(item));
  }

  /** So that `JSON.stringify` writes the same. */
  toJSON(): Presented[] {
    return this.items.map((item) => this.present(item));
  }
}

/** What `JSON.stringify(answer)` gives, in pieces: one for each item of the lists among the answer's members. */
export function* generateJson(answer: object): Generator<string, void> {
  const members: [string, unknown][] = Object.entries(answer);
  if (!members.some(([, value]) => value instanceof StreamedList)) {
    yield JSON.stringify(answer);
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
