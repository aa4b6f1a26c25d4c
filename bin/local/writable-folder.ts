import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder into which only its owner can look, since secrets are kept there; one that is there stays as it is.
 * @throws Error with one sentence when files cannot be made there
 */
export async function makeWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(`${folder} cannot be written to (${(cause as Error).message}): choose another folder.`, { cause })
  }
}

/** By hand, since mkdir's own `recursive` tries for ever where a file system makes no folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    await makeFolder(dirname(path))
    await makeFolder(path)
  }
}
