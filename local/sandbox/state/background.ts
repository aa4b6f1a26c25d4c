import type { Clock } from '../../../lib/clock.ts'

/** Work that continues after an answer: finishing files, uploading them. */
export type Background = ReturnType<typeof createBackground>

export function createBackground(clock: Clock) {
  const abort = new AbortController()
  let busy = 0
  let waiting: (() => void)[] = []
  const begin = () => {
    busy++
  }
  const end = () => {
    busy--
    if (busy > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  /** Resolves once all work is done or waits on the clock. */
  const settled = async () => {
    while (busy > 0) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return {
    /** Aborted when the sandbox closes. */
    signal: abort.signal,
    /** Starts work. A rejection is a programming error, and is left unhandled on purpose. */
    run(work: () => Promise<void>): void {
      begin()
      void work().finally(end)
    },
    /** Waits on the clock inside `run`; rejects when the sandbox closes. */
    async sleep(ms: number): Promise<void> {
      end()
      try {
        await clock.sleep(ms, abort.signal)
      } finally {
        begin()
      }
    },
    settled,
    /** Aborts the signal and waits for all work. */
    async close(): Promise<void> {
      abort.abort(new Error('The sandbox is closing.'))
      await new Promise((resolve) => setImmediate(resolve)) // sleeping work counts as busy again
      await settled()
    },
  }
}
