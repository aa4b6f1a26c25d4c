import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Returns the ids of the processes that were started with an argument, which must have no spaces. */
export async function processesWith(argument: string): Promise<number[]> {
  const all = process.platform === 'linux' ? await readProc() : await readPs()
  return all.flatMap(({ pid, words }) => (words.includes(argument) ? [pid] : []))
}

interface Command {
  readonly pid: number
  readonly words: readonly string[]
}

async function readProc(): Promise<Command[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = async (pid: string) => {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // it has just ended
    return { pid: Number(pid), words: words.split('\0').flatMap((word) => word.split(' ')) } // Chromium renames itself
  }
  return Promise.all(pids.map(read))
}

async function readPs(): Promise<Command[]> {
  const lines = (await ps(['-axww', '-o', 'pid=,command='])).split('\n')
  return lines.map((line) => {
    const [pid, ...words] = line.trim().split(/ +/)
    return { pid: Number(pid), words }
  })
}

/**
 * Returns when a process started, in the form of the system, which distinguishes it from a later one with its number.
 * Returns undefined when there is no such process.
 */
export async function processStartOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await ps(['-o', 'lstart=', '-p', String(pid)])).trim() || undefined
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // proc(5): the name, which may contain spaces, is in parentheses; the start is field 22, in ticks since the boot.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
}

const ps = async (args: readonly string[]) =>
  (await promisify(execFile)('ps', args, { maxBuffer: 2 ** 26 }).catch(() => undefined))?.stdout ?? ''
