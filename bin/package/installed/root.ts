import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as checkout from '../../local/root.ts'

/** Paths of the command line in an installed package, whose files belong to npm: what commands make is kept below `workFolder`. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

export const workFolder = process.cwd()

export const stateDirectory = join(workFolder, '.showrunner/local')

export const hlsScript = join(root, 'web/hls.js')

void ({ root, workFolder, stateDirectory, hlsScript } satisfies typeof checkout)
