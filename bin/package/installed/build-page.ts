import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as checkout from '../../../lib/constructs/deploy/build-page.ts'
import { root } from '../../local/root.ts'

/** Reads a page that was built with the package. */
export const buildPage: typeof checkout.buildPage = (name) => {
  const folder = join(root, 'web', name)
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]))
}
