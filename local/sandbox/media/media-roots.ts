import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { MediaError } from '../../../lib/media/media-error.ts'
import type { Media } from './media.ts'

/**
 * Restricts the files of participants to the given folders. Symbolic links of files and folders are resolved first. A path
 * elsewhere is refused with the same message whether or not a file exists.
 * @param roots folders that `source.path` may lead into; if empty, no file is opened
 */
export function openBelow(roots: readonly string[], media: Pick<Media, 'openFile'>): Pick<Media, 'openFile'> {
  return {
    async openFile(path) {
      if (roots.length === 0)
        throw new MediaError('File sources are off: start the sandbox with --media-root <dir>, the folder of the file.')
      const real = await realpath(resolve(path)).catch(() => resolve(path))
      const folders = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
      if (folders.some((folder) => isBelow(folder, real))) return media.openFile(real)
      throw new MediaError('The file is outside the folders of --media-root: move it there, or add its folder.')
    },
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`)
}
