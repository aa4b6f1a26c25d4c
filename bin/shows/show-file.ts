import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { inOneLine } from '../../lib/show/document/fields/texts.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
}

/** Name of standard input in place of a file. */
const STANDARD_INPUT = '-'

/** Returns a show file as messages name it. */
export const nameOfFile = (file: string): string => (file === STANDARD_INPUT ? 'Standard input' : file)

/**
 * Reads the JSON of a show document, without validating it. The file `-` is standard input.
 * @throws Error when the file cannot be read or is not JSON
 */
export async function readShowFile(file: string): Promise<unknown> {
  const text = await (file === STANDARD_INPUT ? readText(process.stdin) : readFile(file, 'utf8')).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new Error(`${nameOfFile(file)} cannot be read: ${REASONS[cause.code ?? ''] ?? cause.message}.`, { cause })
    },
  )
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) // some editors put a byte-order mark before it
  } catch (cause) {
    throw new Error(`${nameOfFile(file)} is not JSON: ${inOneLine((cause as Error).message)}.`, { cause })
  }
}
