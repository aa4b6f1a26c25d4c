import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { readHidden, type Terminal } from '../../../bin/local/hidden-input.ts'

/** Types on a terminal. Returns what was read, and whether the terminal echoed before, while and after. */
async function type(...keys: readonly (string | Buffer)[]) {
  const raw: boolean[] = []
  const terminal = Object.assign(new EventEmitter(), {
    isTTY: true as const,
    setRawMode: (mode: boolean) => raw.push(mode),
    resume: () => terminal,
    pause: () => terminal,
  })
  const read = readHidden(terminal as unknown as Terminal)
  for (const key of keys) terminal.emit('data', Buffer.from(key))
  const value = await read.catch((error: Error) => error)
  return { value, raw, listeners: terminal.listenerCount('data') }
}

describe('readHidden', () => {
  it.each([
    ['a line', ['secret\r'], 'secret'],
    ['keys one by one', ['k', 'e', 'y', '\n'], 'key'],
    ['a line that was corrected', ['kex\u007f', 'y\u0004'], 'key'],
    ['a character in two pieces', [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1), '\r'], 'ü'],
  ])('reads %s while the terminal echoes nothing', async (_, keys, value) => {
    expect(await type(...keys)).toEqual({ value, raw: [true, false], listeners: 0 })
  })

  it('lets Ctrl-C interrupt it', async () => {
    const { value, raw } = await type('half\u0003')
    expect([(value as Error).message, raw]).toEqual(['Interrupted. Nothing was stored.', [true, false]])
  })
})
