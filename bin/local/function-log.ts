import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/** A line that a function logged. */
export interface LogLine {
  /** ISO 8601. */
  readonly at: string
  readonly name: string
  readonly text: string
}

const fileOf = (directory: string) => join(directory, 'functions.log')

/** Opens the log of all local functions in a state directory for appending. Only its owner can read it. */
export function openFunctionLog(directory: string, now: () => number) {
  const stream = createWriteStream(fileOf(directory), { flags: 'a', mode: 0o600 })
  stream.on('error', () => {}) // a full disk must not end a show
  return {
    write(name: string, text: string) {
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

/**
 * Reads the log of a state directory, oldest line first. A missing log is empty.
 * @throws Error when the log cannot be read
 */
export async function readFunctionLog(directory: string): Promise<LogLine[]> {
  const content = await readFile(fileOf(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`The log of the local functions cannot be read (${error.message}).`, { cause: error })
  })
  return content.split('\n').flatMap((line) => {
    const [, at, name, text] = /^(\d{4}-\d\d-\d\dT\S+Z) (\S+) (.*)$/.exec(line) ?? []
    return at && name && text !== undefined ? [{ at, name, text }] : []
  })
}
