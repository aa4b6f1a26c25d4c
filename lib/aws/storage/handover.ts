/** Creates a stream of bytes from a producer to a consumer. */
export function createHandover() {
  let last = createTurn()
  return {
    /** Can be read once. */
    body: read(last),
    /** Passes bytes on. Resolves when they may be overwritten; never if the consumer stops reading. */
    give: (bytes: Uint8Array) =>
      new Promise<void>((taken) => {
        const turn = last
        last = createTurn()
        turn.give({ bytes, taken, next: last })
      }),
    end: () => last.give(undefined),
    /** Ends the body with an error, because the producer failed. */
    fail: (error: unknown) => last.fail(error),
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
  given.catch(() => {}) // the consumer may have stopped reading
  return { given, give, fail }
}
