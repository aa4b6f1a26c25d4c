type Subtle = Record<string, (...args: unknown[]) => Promise<unknown>>
type Call = () => Promise<unknown>

const subtle = globalThis.crypto.subtle as unknown as Subtle
const prototype = SubtleCrypto.prototype as unknown as Subtle
const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')

/** Passes every WebCrypto call of this process through `intercept`, until the returned function is called. */
export function interceptCrypto(intercept: (call: Call) => Promise<unknown>): () => void {
  for (const name of names) {
    const real = prototype[name]
    if (real) subtle[name] = (...args) => intercept(() => real.apply(subtle, args))
  }
  return () => {
    for (const name of names) delete subtle[name]
  }
}

/** Results that are delivered in the order of their calls. */
export type OrderedResults = ReturnType<typeof createOrderedResults>

export function createOrderedResults() {
  const queue: { deliver?: () => void }[] = []
  return {
    /** Makes the call, and holds its result until its turn. */
    hold: (call: Call) =>
      new Promise((resolve, reject) => {
        const entry: (typeof queue)[number] = {}
        queue.push(entry)
        call().then(
          (value) => {
            entry.deliver = () => resolve(value)
          },
          (error) => {
            entry.deliver = () => reject(error)
          },
        )
      }),
    isEmpty: () => queue.length === 0,
    /** Delivers the oldest result if it has arrived. Returns false if no call is pending. */
    next(): boolean {
      const [first] = queue
      if (first?.deliver) {
        queue.shift()
        first.deliver()
      }
      return first !== undefined
    },
  }
}
