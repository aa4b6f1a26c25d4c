import type { Clock } from '../../../lib/clock.ts'

/** What the sandbox does after an answer has gone out: finishing files, uploading them. */
export interface Background {
  /** Aborted when the sandbox closes. */
  readonly signal: AbortSignal
  /** Whatever `work` rejects with is a programming error and left unhandled on purpose. */
  run(work: () => Promise<void>): void
  /** Waits on the clock inside `run`; rejects when the sandbox closes. */
  sleep(ms: number): Promise<void>
  /** Resolves once nothing is under way but what waits on the clock. */
  settled(): Promise<void>
  /** Aborts the signal and waits for what is under way. */
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
      await new Promise((resolve) => setImmediate(resolve)) // lets what sleeps count as busy again
      await settled()
    },
  }
}
