import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A JSON document that only this machine’s user can read. Without a directory it is in memory. */
export interface PrivateFile<Content> {
  readonly content: Content
  /** Writes the current content atomically. */
  save(): void
}

/** @throws Error when the file exists and is not JSON, or belongs to another user */
export function openPrivateFile<Content>(
  directory: string | undefined,
  name: string,
  initial: Content,
): PrivateFile<Content> {
  if (!directory) return { content: initial, save() {} }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, name)
  const content = existsSync(path) ? read<Content>(path, name) : initial
  return {
    content,
    save() {
      writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
  }
}

function read<Content>(path: string, name: string): Content {
  try {
    chmodSync(path, 0o600) // a copy may have lost it; the system refuses this for a file of another user
  } catch (cause) {
    throw new Error(`${path} belongs to another user. Choose another folder.`, { cause })
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(
      `${name} in the folder of the cloud cannot be read as JSON: restore it, or begin with an empty one.`,
      {
        cause,
      },
    )
  }
}
