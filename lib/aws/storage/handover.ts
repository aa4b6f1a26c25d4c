/** A body of bytes that somebody else comes by. */
export interface Handover {
  /** To be gone through once. */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * Gives the next bytes, and is done once whoever reads the body asks for more: then they may be written over. It is never
   * done when nobody reads on.
   */
  give(bytes: Uint8Array): Promise<void>
  /** No more bytes follow. */
  end(): void
  /** No more bytes follow, since whoever came by them failed: reading the body fails with this. */
  fail(error: unknown): void
}

/** Joins one who has bytes and one who reads them, without keeping any in between. */
export function createHandover(): Handover {
  let last = createTurn()
  return {
    body: read(last),
    give: (bytes) =>
      new Promise((taken) => {
        const turn = last
        last = createTurn()
        turn.give({ bytes, taken, next: last })
      }),
    end: () => last.give(undefined),
    fail: (error) => last.fail(error),
  }
}

async function* read(first: Turn): AsyncGenerator<Uint8Array> {
  for (let given = await first.given; given; given = await given.next.given) {
    yield given.bytes
    given.taken()
  }
}

interface Given {
  readonly bytes: Uint8Array
  taken(): void
  readonly next: Turn
}

interface Turn {
  /** Undefined at the end. */
  readonly given: Promise<Given | undefined>
  give(given: Given | undefined): void
  fail(error: unknown): void
}

function createTurn(): Turn {
  let give: Turn['give'] = () => {}
  let fail: Turn['fail'] = () => {}
  const given = new Promise<Given | undefined>((resolve, reject) => {
    give = resolve
    fail = reject
  })
  given.catch(() => {}) // nobody may be reading any more
  return { given, give, fail }
}
