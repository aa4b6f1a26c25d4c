import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Where a laptop keeps its state unless told otherwise. */
export const stateDirectory = join(root, '.showrunner/local')
