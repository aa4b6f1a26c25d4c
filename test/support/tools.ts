import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Where Debian puts servers; an ordinary user's PATH lacks it. */
const SERVERS = '/usr/sbin'

/** Path of a program of this machine. @throws Error that names the Debian package to install */
export async function findTool(name: string, debianPackage: string): Promise<string> {
  for (const directory of [...(process.env.PATH ?? '').split(delimiter), SERVERS]) {
    const path = join(directory, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error(`This test needs ${name}: apt-get install ${debianPackage}.`)
}
