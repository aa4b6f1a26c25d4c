import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAssembly } from '../../../local/cloud/assembly.ts'
import type * as checkout from '../../local/assembly.ts'
import { root } from '../../local/root.ts'

/** The assembly that the package contains. */
const directory = join(root, 'assembly')

export const localSettings: typeof checkout.localSettings = JSON.parse(
  readFileSync(join(directory, 'settings.json'), 'utf8'),
)

/** Reads the assembly of the local stack, which was synthesized when the package was built. */
export const synthesize: typeof checkout.synthesize = async () => readAssembly(directory)
