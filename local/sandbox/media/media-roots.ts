import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { MediaError } from '../../../lib/media/media-error.ts'
import type { Media } from './media.ts'

/**
 * Opens files for participants below the given folders only. Symbolic links are resolved first, of the folders too.
 * A path elsewhere is refused with the same words whether or not a file is there.
 * @param roots folders that `source.path` may lead into; empty: no file is opened
 */
export function openBelow(roots: readonly string[], media: Pick<Media, 'openFile'>): Pick<Media, 'openFile'> {
  return {
    async openFile(path) {
      if (roots.length === 0)
        throw new MediaError('No file is opened: start the sandbox with --media-root <dir>, the folder of the file.')
      const real = await realpath(resolve(path)).catch(() => resolve(path))
      const folders = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
      if (folders.some((folder) => isBelow(folder, real))) return media.openFile(real)
      throw new MediaError('The file is not below a folder of --media-root.')
    },
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`)
}
