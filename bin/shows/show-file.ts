import { readFile } from 'node:fs/promises'
import { inOneLine } from '../../lib/show/document/fields/texts.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
}

/**
 * Reads the JSON of a show document, without validating it.
 * @throws Error when the file cannot be read or is not JSON
 */
export async function readShowFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${REASONS[cause.code ?? ''] ?? cause.message}.`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${inOneLine((cause as Error).message)}.`, { cause })
  }
}
