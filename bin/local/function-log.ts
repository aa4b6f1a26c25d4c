import { createWriteStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/** A line that a function logged. */
export interface FunctionLogLine {
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
export async function readFunctionLog(directory: string): Promise<FunctionLogLine[]> {
  const content = await readFile(fileOf(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new Error(`The log of the local functions cannot be read (${error.message}).`, { cause: error })
  })
  return linesIn(content)
}

/**
 * Returns a reader of what was added to the log of a state directory since the last call; the first call reads all of it.
 */
export function tailFunctionLog(directory: string): { next(): Promise<FunctionLogLine[]> } {
  let offset = 0
  let rest = Buffer.alloc(0)
  return {
    async next() {
      const added = await readFrom(fileOf(directory), offset)
      offset += added.length
      const content = Buffer.concat([rest, added])
      const end = content.lastIndexOf('\n') + 1 // a line that is still being written is read later
      rest = content.subarray(end)
      return linesIn(content.toString('utf8', 0, end))
    },
  }
}

async function readFrom(path: string, offset: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The log of the local functions cannot be read (${error.message}).`, { cause: error })
  })
  if (!file) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.max(0, size - offset)),
      position: offset,
    })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function linesIn(content: string): FunctionLogLine[] {
  return content.split('\n').flatMap((line) => {
    const [, at, name, text] = /^(\d{4}-\d\d-\d\dT\S+Z) (\S+) (.*)$/.exec(line) ?? []
    return at && name && text !== undefined ? [{ at, name, text }] : []
  })
}
