import { createInterface } from 'node:readline/promises'
import type { Ask } from './answers.ts'

/**
 * Asks questions in the terminal while `act` runs.
 * @throws Error when the user interrupts, or the input ends
 */
export async function askInTerminal<Result>(act: (ask: Ask) => Promise<Result>): Promise<Result> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  terminal.once('SIGINT', () => reject(new Error('Interrupted. Nothing was written.')))
  terminal.once('close', () => reject(new Error('The input has ended. Nothing was written.')))
  try {
    return await Promise.race([act((prompt) => terminal.question(prompt)), interrupted])
  } finally {
    terminal.close()
  }
}
