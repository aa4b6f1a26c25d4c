import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Note of the encoder that writes a file, for the process that finds the file after a restart. */
interface EncoderNote {
  readonly pid: number
  /** Its command line, since another process may have reused the number. */
  readonly command: string
}

const SUFFIX = '.encoder'
/** Milliseconds of real time for an encoder to finish after the end of its input. */
const FINISH_TIMEOUT = 10_000
const POLL_INTERVAL = 25 // ms

const noteOf = (path: string) => path + SUFFIX

export function noteEncoder(path: string, child: { readonly pid?: number | undefined; spawnargs: readonly string[] }) {
  if (child.pid === undefined) return
  const note: EncoderNote = { pid: child.pid, command: child.spawnargs.join(' ') }
  try {
    writeFileSync(noteOf(path), JSON.stringify(note))
  } catch {
    // the encoder cannot write there either, and reports it
  }
}

export const removeNote = (path: string) => rmSync(noteOf(path), { force: true })

/**
 * Waits for the encoders that an earlier process has left in a directory and its subdirectories: their input ended with that
 * process. An encoder that does not end in time is killed.
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

/** Returns undefined for an incomplete note, whose writer was killed. */
function readNote(file: string): EncoderNote | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EncoderNote
  } catch {
    return undefined
  }
}

async function endEncoder({ pid, command }: EncoderNote): Promise<void> {
  const isRunning = async () => (await commandOf(pid)) === command
  const giveUp = Date.now() + FINISH_TIMEOUT
  while (await isRunning()) {
    if (Date.now() > giveUp) kill(pid)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has just ended
  }
}

/** Returns an empty text for a process that does not exist or is a zombie. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.split('\0').slice(0, -1).join(' ')
  }
  const shown = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => undefined)
  return shown?.stdout.trimEnd() ?? ''
}
