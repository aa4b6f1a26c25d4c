import type { Clock } from '../../../lib/clock.ts'

/** Work that continues after an answer: finishing files, uploading them. */
export interface Background {
  /** Aborted when the sandbox closes. */
  readonly signal: AbortSignal
  /** Starts work. A rejection is a programming error, and is left unhandled on purpose. */
  run(work: () => Promise<void>): void
  /** Waits on the clock inside `run`; rejects when the sandbox closes. */
  sleep(ms: number): Promise<void>
  /** Resolves once all work is done or waits on the clock. */
  settled(): Promise<void>
  /** Aborts the signal and waits for all work. */
  close(): Promise<void>
}

export function createBackground(clock: Clock): Background {
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
  const settled = async () => {
    while (busy > 0) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return {
    signal: abort.signal,
    run(work) {
      begin()
      void work().finally(end)
    },
    async sleep(ms) {
      end()
      try {
        await clock.sleep(ms, abort.signal)
      } finally {
        begin()
      }
    },
    settled,
    async close() {
      abort.abort(new Error('The sandbox is closing.'))
      await new Promise((resolve) => setImmediate(resolve)) // sleeping work counts as busy again
      await settled()
    },
  }
}
