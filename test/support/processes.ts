import { readdirSync, readFileSync } from 'node:fs'
import { childProcessesOf } from '../../bench/publish/memory.ts'
import { realClock } from '../../lib/clock.ts'

/** The ids of this machine's processes whose command line holds each text; Linux only, as is what the tests run on. */
export function processesWith(...texts: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && hasAll(commandLineOf(pid), texts))
}

const hasAll = (line: string, texts: readonly string[]) => texts.every((text) => line.includes(text))

/** Returns the ids of the processes that this process has started and whose command line holds a text. */
export const childrenWith = (text: string): number[] =>
  childProcessesOf(process.pid).filter((pid) => commandLineOf(pid).includes(text))

/** Waits for a process whose command line holds each text. */
export async function findProcess(...texts: readonly string[]): Promise<number> {
  for (;;) {
    const [found] = processesWith(...texts)
    if (found !== undefined) return found
    await realClock.sleep(50)
  }
}

/** Kills a process as `kill -9` does, unless it has just ended. */
export function killProcess(pid: number): void {
  if (pid <= 0) throw new Error(`${pid} is not a process: it would kill a whole group.`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Empty when there is no such process any more. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
