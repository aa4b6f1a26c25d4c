import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Folder in which commands keep `.showrunner`. */
export const workFolder = root

/** The call that starts Showrunner, for messages and help. */
export const startCall = 'npm start'

/** The call of a command, for messages and help. */
export const commandCall = 'npm run showrunner --'

/** The call of a command whose output is kept: without the lines of npm. */
export const quietCall = 'npm run -s showrunner --'

/** A show that users find in this folder. */
export const exampleShow = 'examples/webinar.json'

/** Default directory for the state of `npm start`. */
export const stateDirectory = join(workFolder, '.showrunner/local')

/** The script that plays HLS in the console. */
export const hlsScript = join(root, 'node_modules/hls.js/dist/hls.light.min.mjs')
