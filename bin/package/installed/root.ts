import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as checkout from '../../local/root.ts'

/** Paths of the command line in an installed package, whose files belong to npm: what commands make is kept below `workFolder`. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

export const workFolder = process.cwd()

export const startCall = 'npx showrunner start'

export const commandCall = 'npx showrunner'

export const quietCall = commandCall

/** `init` writes it. */
export const exampleShow = 'show.json'

export const stateDirectory = join(workFolder, '.showrunner/local')

export const hlsScript = join(root, 'web/hls.js')

/** The same names as in a checkout, whose texts are others. */
type Calls = { readonly [Name in keyof typeof checkout]: string }

void ({ root, workFolder, startCall, commandCall, quietCall, exampleShow, stateDirectory, hlsScript } satisfies Calls)
