import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of this test file. */
export const directory = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
afterAll(() => rm(directory, { recursive: true }))

/** Writes a program in the place of ffmpeg, and returns its path. */
export const impostor = async (name: string, script: string) => {
  const path = join(directory, name)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}
