import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A program in a separate process, so that its cost is measured without that of measuring. */
export interface Subprocess<Ready> extends AsyncDisposable {
  readonly pid: number
  /** The message that it sent when it was ready. */
  readonly ready: Ready
  /**
   * Sends a question and returns the answer, one at a time.
   * @throws Error when the subprocess fails to answer it
   */
  ask<Answer>(question: unknown): Promise<Answer>
}

/**
 * Starts a TypeScript file that answers through `serveParent`. It ends when the signal aborts.
 * @param environment variables in addition to those of this process
 * @throws Error when it exits before it has answered
 */
export async function startSubprocess<Ready>(
  file: URL,
  options: unknown,
  signal: AbortSignal,
  environment: Readonly<Record<string, string>> = {},
): Promise<Subprocess<Ready>> {
  signal.throwIfAborted()
  const name = file.pathname.replace(/^.*\//, '')
  const env = { ...process.env, ...environment }
  const execArgv = ['--expose-gc']
  const child = fork(file, [JSON.stringify(options)], { execArgv, env, signal, killSignal: 'SIGKILL' })
  const ended = once(child, 'exit').then(() => {
    signal.throwIfAborted()
    throw new Error(`A process of the bench exited unexpectedly (${name}).`)
  })
  ended.catch(() => {}) // reported to the caller that waits for an answer
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
      const reply = (await answered) as { answer: Answer } | { failure: string }
      if ('failure' in reply) throw new Error(`A work of the bench failed (${name}): ${reply.failure}`)
      return reply.answer
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

/** Returns the options that the parent started this subprocess with. */
export const givenByParent = <Options>(): Options => JSON.parse(String(process.argv[2]))

/** Reports to the parent that this process is ready, and answers its questions. */
export function serveParent(ready: object, answer: (question: never) => object | Promise<object>): void {
  process.on('message', async (question) => {
    const reply = async () => ({ answer: await answer(question as never) })
    process.send?.(await reply().catch((error) => ({ failure: String(error) })))
  })
  process.on('disconnect', () => process.exit()) // the parent has exited
  process.send?.(ready)
}
