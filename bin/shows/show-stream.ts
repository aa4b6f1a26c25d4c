import type { ShowSnapshot } from './poll-show.ts'

export type ShowStream = ReturnType<typeof createShowStream>

/** Thrown to callers that wait when a stream ended with an error, which is reported once elsewhere. */
export class StreamEndedError extends Error {}

/** Distributes the snapshots of a show to the callers that wait for a condition. */
export function createShowStream() {
  const waiting = new Set<{ check(snapshot: ShowSnapshot): void; end(error?: unknown): void }>()
  let latest: ShowSnapshot | undefined
  let ended: { error?: unknown } | undefined

  return {
    push(snapshot: ShowSnapshot) {
      latest = snapshot
      for (const waiter of [...waiting]) waiter.check(snapshot)
    },
    /** Ends the stream. With an error, pending calls of `until` reject. */
    end(error?: unknown) {
      ended = { error }
      for (const waiter of [...waiting]) waiter.end(error)
    },
    /**
     * Waits for the first snapshot for which `find` returns a truthy value.
     * @param onOther called with each snapshot before that
     * @returns that value, or undefined if the stream ends first
     */
    until: <Found>(
      find: (snapshot: ShowSnapshot) => Found | undefined | false | '',
      onOther?: (snapshot: ShowSnapshot) => void,
    ) =>
      new Promise<Found | undefined>((resolve, reject) => {
        const waiter = {
          check(snapshot: ShowSnapshot) {
            const found = find(snapshot)
            if (found) settle(() => resolve(found))
            else onOther?.(snapshot)
          },
          end: (error?: unknown) =>
            settle(() =>
              error ? reject(new StreamEndedError('The show cannot be followed any more.')) : resolve(undefined),
            ),
        }
        const settle = (act: () => void) => {
          waiting.delete(waiter)
          act()
        }
        waiting.add(waiter)
        if (latest) waiter.check(latest)
        if (ended && waiting.has(waiter)) waiter.end(ended.error)
      }),
  }
}
