import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { SettingsDocument } from './settings-questions.ts'

/** A settings file: `cdk.json` or a file like it. */
export interface SettingsFile {
  readonly context?: { readonly showrunner?: SettingsDocument; readonly [name: string]: unknown }
  readonly [name: string]: unknown
}

/** Reads a settings file. A missing one is empty. @throws Error when it cannot be read or is not a JSON object */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new Error('it is not an object')
    return content as SettingsFile
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`The settings file ${path} cannot be read (${(cause as Error).message}).`, { cause })
  }
}

/** Writes the settings at once and whole. Everything else in the file stays. */
export async function writeSettings(path: string, file: SettingsFile, showrunner: SettingsDocument): Promise<void> {
  const fresh = `${path}.${randomUUID()}`
  try {
    const content = { ...file, context: { ...file.context, showrunner } }
    await writeFile(fresh, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' })
    await rename(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
}
