import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'showrunner-bundles-'))
writeFileSync(join(folder, 'index.mjs'), '')
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Replaces `bundle` of lib/constructs/deploy/bundles.ts where only a template matters, which is the same for any code.
 */
export const bundle = () => () => folder
