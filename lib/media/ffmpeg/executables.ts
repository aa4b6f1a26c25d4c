import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Returns true for an executable file; a directory has the same mode bit. */
export const isExecutable = (path: string): Promise<boolean> =>
  Promise.all([access(path, constants.X_OK), stat(path)]).then(
    ([, found]) => found.isFile(),
    () => false,
  )

/** Returns the first program of these names in the directories of `PATH`; an earlier name wins over an earlier directory. */
export async function findInPath(names: readonly string[], path = ''): Promise<string | undefined> {
  const directories = path.split(delimiter).filter((directory) => directory !== '')
  for (const name of names)
    for (const directory of directories) {
      const program = join(directory, name)
      if (await isExecutable(program)) return program
    }
  return undefined
}
