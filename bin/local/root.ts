import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Default directory for the state of `npm start`. */
export const stateDirectory = join(root, '.showrunner/local')
