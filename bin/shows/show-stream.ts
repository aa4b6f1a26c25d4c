import type { ShowSnapshot } from './follow.ts'

/** The sights of a show as they come, for those who wait for something in them. */
export interface ShowStream {
  push(sight: ShowSnapshot): void
  /** No more will come; with an error, whoever still waits gets it. */
  end(error?: unknown): void
  /**
   * Resolves with the first sight of which `found` says something, and with what it says; with undefined when the show is
   * over and nothing was found. `onEach` is called with each sight until then.
   */
  until<Found>(
    found: (sight: ShowSnapshot) => Found | undefined | false | '',
    onEach?: (sight: ShowSnapshot) => void,
  ): Promise<Found | undefined>
}

export function createShowStream(): ShowStream {
  const waiting = new Set<{ look(sight: ShowSnapshot): void; end(error?: unknown): void }>()
  let latest: ShowSnapshot | undefined
  let ended: { error?: unknown } | undefined

  return {
    push(sight) {
      latest = sight
      for (const waiter of [...waiting]) waiter.look(sight)
    },
    end(error) {
      ended = { error }
      for (const waiter of [...waiting]) waiter.end(error)
    },
    until: (found, onEach) =>
      new Promise((resolve, reject) => {
        const waiter = {
          look(sight: ShowSnapshot) {
            const what = found(sight)
            if (what) settle(() => resolve(what))
            else onEach?.(sight)
          },
          end: (error?: unknown) => settle(() => (error ? reject(error) : resolve(undefined))),
        }
        const settle = (act: () => void) => {
          waiting.delete(waiter)
          act()
        }
        waiting.add(waiter)
        if (latest) waiter.look(latest)
        if (ended && waiting.has(waiter)) waiter.end(ended.error)
      }),
  }
}
