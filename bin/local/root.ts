import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Folder in which commands keep `.showrunner`. */
export const workFolder = root

/** Default directory for the state of `npm start`. */
export const stateDirectory = join(workFolder, '.showrunner/local')

/** The script that plays HLS in the console. */
export const hlsScript = join(root, 'node_modules/hls.js/dist/hls.light.min.mjs')
