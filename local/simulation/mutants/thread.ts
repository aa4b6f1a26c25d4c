import { Worker } from 'node:worker_threads'
import type { Answer, Order, WorkerInput } from './worker.ts'

/** Seconds of computing after which a seed is taken for one that never ends. Most take two, and the longest a minute. */
const LONGEST = 240
const CHECKED_EVERY = 2_000 // ms
/** Mutants after which a thread is replaced: it keeps every module that it has loaded. */
const MUTANTS = 25
/** A mutant can make a list grow without end. */
const MEMORY = { maxOldGenerationSizeMb: 2_048 }

/** A thread that simulates seeds. It is replaced when it fails. */
export type Thread = ReturnType<typeof createThread>

export function createThread(input: WorkerInput) {
  let worker: Worker | undefined
  let mutants = 0
  let last: number | undefined

  const end = async () => {
    const ending = worker
    worker = undefined
    last = undefined
    await ending?.terminate()
  }

  const start = () => {
    mutants = 0
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData: input, resourceLimits: MEMORY })
  }

  return {
    /** Simulates a seed. The seed is broken if it ends its thread, or does not end. */
    async simulate(order: Order): Promise<Answer> {
      const isNext = last !== order.number
      if (isNext && mutants++ >= MUTANTS) await end()
      worker ??= start()
      last = order.number
      const answered = await ask(worker, isNext ? order : { ...order, modules: {} })
      if (typeof answered !== 'string') return answered
      await end()
      const broken = [{ invariant: 'simulation', detail: answered }] as const
      return { trial: { seed: order.seed, broken } }
    },
    close: end,
  }
}

/** Returns the answer, or a sentence about the end of the thread. */
async function ask(worker: Worker, order: Order): Promise<Answer | string> {
  const { promise, resolve } = Promise.withResolvers<Answer | string>()
  const fail = (error: Error) => resolve(`The thread failed: ${error.message}`)
  const exit = (code: number) => resolve(`The thread exited with code ${code}.`)
  const before = worker.cpuUsage().catch(() => undefined)
  const check = async () => {
    const used = await worker.cpuUsage(await before).catch(() => undefined)
    const seconds = ((used?.user ?? 0) + (used?.system ?? 0)) / 1e6
    if (seconds > LONGEST) resolve(`It does not end: it has computed for ${LONGEST} s.`)
  }
  const timer = setInterval(() => void check(), CHECKED_EVERY)
  worker.on('message', resolve).on('error', fail).on('exit', exit)
  worker.postMessage(order)
  try {
    return await promise
  } finally {
    clearInterval(timer)
    worker.off('message', resolve).off('error', fail).off('exit', exit)
  }
}
