import { fileURLToPath } from 'node:url'
import { fingerprintOf } from './fingerprint.ts'

/** Path of the checkout, with a trailing slash. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns the folder of the bundles of the present sources. */
export const bundlesFolder = () => `${root}.showrunner/bundles/${fingerprintOf(root, sourcesOfBundles)}`

/** The sources of all bundles. */
export const sourcesOfBundles = [
  'lambdas/**/*.ts',
  'lib/**/*.ts',
  'web/*.*',
  'web/watch/*',
  'package-lock.json',
] as const
