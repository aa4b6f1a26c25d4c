type Subtle = Record<string, (...args: unknown[]) => Promise<unknown>>
type Call = () => Promise<unknown>

const subtle = globalThis.crypto.subtle as unknown as Subtle
const prototype = SubtleCrypto.prototype as unknown as Subtle
const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')

/** Passes every call of WebCrypto in this process through `intercept`, until the function it returns is called. */
export function interceptCrypto(intercept: (call: Call) => Promise<unknown>): () => void {
  for (const name of names) {
    const real = prototype[name]
    if (real) subtle[name] = (...args) => intercept(() => real.apply(subtle, args))
  }
  return () => {
    for (const name of names) delete subtle[name]
  }
}

/** Results that are handed out in the order in which they were asked for, however they come in. */
export interface OrderedResults {
  /** Does the work, and keeps what comes of it until it is this one's turn. */
  hold(call: Call): Promise<unknown>
  /** Hands out the oldest result if it is there; false when none is waited for. */
  next(): boolean
}

export function createOrderedResults(): OrderedResults {
  const queue: { handOut?: () => void }[] = []
  return {
    hold: (call) =>
      new Promise((resolve, reject) => {
        const entry: (typeof queue)[number] = {}
        queue.push(entry)
        call().then(
          (value) => {
            entry.handOut = () => resolve(value)
          },
          (error) => {
            entry.handOut = () => reject(error)
          },
        )
      }),
    next() {
      const [first] = queue
      if (first?.handOut) {
        queue.shift()
        first.handOut()
      }
      return first !== undefined
    },
  }
}
