import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A program in a process of its own, so that what it costs can be told from what measuring it costs. */
export interface Subprocess<Ready> {
  readonly pid: number
  /** What it said when it was ready. */
  readonly ready: Ready
  /** Asks one question at a time. */
  ask<Answer>(question: unknown): Promise<Answer>
  close(): Promise<void>
}

/**
 * Starts a TypeScript file that answers through `serveParent`; it ends when the signal aborts.
 * @param environment variables beside those of this process
 * @throws Error when it ends before it has answered
 */
export async function startSubprocess<Ready>(
  file: URL,
  options: unknown,
  signal: AbortSignal,
  environment: Readonly<Record<string, string>> = {},
): Promise<Subprocess<Ready>> {
  signal.throwIfAborted()
  const env = { ...process.env, ...environment }
  const execArgv = ['--expose-gc']
  const child = fork(file, [JSON.stringify(options)], { execArgv, env, signal, killSignal: 'SIGKILL' })
  const ended = once(child, 'exit').then(() => {
    signal.throwIfAborted()
    throw new Error(`A process of the bench ended by itself (${file.pathname.replace(/^.*\//, '')}).`)
  })
  ended.catch(() => {}) // told to whoever waits for an answer
  child.on('error', () => {}) // an abort; `ended` follows
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message
  }
  const ready = (await answer()) as Ready
  return {
    pid: child.pid ?? 0,
    ready,
    async ask<Answer>(question: unknown) {
      const answered = answer()
      child.send(question as object)
      return (await answered) as Answer
    },
    async close() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

/** What the parent gave a subprocess to start with. */
export const givenByParent = <Options>(): Options => JSON.parse(String(process.argv[2]))

/** Tells the parent that all is ready, and answers its questions. */
export function serveParent(ready: object, answer: (question: never) => object | Promise<object>): void {
  process.on('message', async (question) => {
    process.send?.(await answer(question as never))
  })
  process.on('disconnect', () => process.exit()) // whoever started this is gone
  process.send?.(ready)
}
