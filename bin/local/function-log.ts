import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/** One line that a function wrote. */
export interface LogLine {
  /** When it was written, ISO 8601. */
  readonly at: string
  /** The function's name. */
  readonly name: string
  readonly text: string
}

/** What the laptop's functions write, kept as one file beside what else the laptop keeps. */
export interface FunctionLog {
  /** Takes a piece of what a function wrote. */
  write(name: string, text: string): void
  close(): Promise<void>
}

const fileOf = (directory: string) => join(directory, 'functions.log')

/** Opens the log of a laptop's directory to write at its end; only its owner can read it. */
export function openFunctionLog(directory: string, now: () => number): FunctionLog {
  const stream = createWriteStream(fileOf(directory), { flags: 'a', mode: 0o600 })
  stream.on('error', () => {}) // a full disk is no reason to end a show
  return {
    write(name, text) {
      const at = new Date(now()).toISOString()
      const lines = text.replace(/\n$/, '').split('\n')
      stream.write(lines.map((line) => `${at} ${name} ${line}\n`).join(''))
    },
    async close() {
      stream.end()
      await finished(stream).catch(() => {})
    },
  }
}

/** Every line of a laptop's log, oldest first; none where nothing has been written yet. */
export async function readFunctionLog(directory: string): Promise<LogLine[]> {
  const content = await readFile(fileOf(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`The log of the laptop cannot be read (${error.message}).`, { cause: error })
  })
  return content.split('\n').flatMap((line) => {
    const [, at, name, text] = /^(\d{4}-\d\d-\d\dT\S+Z) (\S+) (.*)$/.exec(line) ?? []
    return at && name && text !== undefined ? [{ at, name, text }] : []
  })
}
