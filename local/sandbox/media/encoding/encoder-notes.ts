import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Which process writes a file, for whoever finds the file when the one that had started the process is gone. */
interface EncoderNote {
  readonly pid: number
  /** Its command line: another process may have got the number since. */
  readonly command: string
}

const SUFFIX = '.encoder'
/** What an encoder has to finish by itself when its input has ended, in ms of real time: the rest of what it was given. */
const PATIENCE = 10_000
const LOOK_AGAIN = 25 // ms

const noteOf = (path: string) => path + SUFFIX

/** Notes who writes a file, until the note is removed. */
export function noteEncoder(path: string, child: { readonly pid?: number | undefined; spawnargs: readonly string[] }) {
  if (child.pid === undefined) return
  const note: EncoderNote = { pid: child.pid, command: child.spawnargs.join(' ') }
  try {
    writeFileSync(noteOf(path), JSON.stringify(note))
  } catch {
    // the encoder cannot write there either, and says so
  }
}

export const removeNote = (path: string) => rmSync(noteOf(path), { force: true })

/**
 * Waits for the encoders in a directory, and in those within it, that an earlier process has left: their input has ended
 * with that process. One that does not end is ended.
 */
export async function endLeftEncoders(directory: string): Promise<void> {
  const found = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(SUFFIX))
  await Promise.all(
    found.map(async (name) => {
      const file = join(directory, name)
      const note = readNote(file)
      if (note) await endEncoder(note)
      rmSync(file, { force: true })
    }),
  )
}

/** Undefined when its writer was ended in the midst of it. */
function readNote(file: string): EncoderNote | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EncoderNote
  } catch {
    return undefined
  }
}

async function endEncoder({ pid, command }: EncoderNote): Promise<void> {
  const isRunning = async () => (await commandOf(pid)) === command
  const giveUp = Date.now() + PATIENCE
  while (await isRunning()) {
    if (Date.now() > giveUp) kill(pid)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has just ended by itself
  }
}

/** Empty when there is no such process, or when it has ended and nobody has asked how. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.split('\0').slice(0, -1).join(' ')
  }
  const shown = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => undefined)
  return shown?.stdout.trimEnd() ?? ''
}
