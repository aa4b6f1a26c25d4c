import { text } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import type { ReadStream } from 'node:tty'

/** The parts of a terminal that a hidden input uses. */
export type Terminal = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>

/** Enter and Ctrl-D. */
const ENDS = ['\r', '\n', '\u0004']
const INTERRUPT = '\u0003'
const BACKSPACES = ['\b', '\u007f']

/**
 * Reads a value from standard input: from a terminal one line that it does not show, else everything without the last line break.
 * @param prompt printed on the terminal
 * @throws Error when the user presses Ctrl-C
 */
export async function readSecretValue(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write(prompt)
  try {
    return await readHidden(process.stdin)
  } finally {
    process.stderr.write('\n')
  }
}

/** Reads a line from a terminal without an echo. @throws Error when the user presses Ctrl-C */
export function readHidden(terminal: Terminal): Promise<string> {
  const decoder = new StringDecoder('utf8')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed: readonly string[] = []
  const read = (data: Buffer) => {
    for (const character of decoder.write(data)) {
      if (character === INTERRUPT) return reject(new Error('Interrupted. Nothing was stored.'))
      if (ENDS.includes(character)) return resolve(typed.join(''))
      typed = BACKSPACES.includes(character) ? typed.slice(0, -1) : [...typed, character]
    }
  }
  terminal.setRawMode(true)
  terminal.on('data', read).resume()
  return promise.finally(() => {
    terminal.off('data', read)
    terminal.setRawMode(false)
    terminal.pause()
  })
}
