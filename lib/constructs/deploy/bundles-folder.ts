import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.ts'
import { fingerprintOf } from './fingerprint.ts'

/** Path of the checkout, with a trailing slash. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Kinds of bundles: `bundles` for a deployment, where each function contains everything that it imports, and `shared-bundles`
 * for this machine, where functions import what several need from one place.
 */
export type BundleKind = 'bundles' | 'shared-bundles'

/** Returns the folder of the bundles of the present sources. */
export const bundlesFolder = (kind: BundleKind) => `${cacheFolder(root, kind)}/${fingerprintOf(root, sourcesOfBundles)}`

/** The sources of all bundles. */
export const sourcesOfBundles = [
  'lambdas/**/*.ts',
  'lib/**/*.ts',
  'web/*.*',
  'web/watch/**/*.*',
  'package-lock.json',
] as const
