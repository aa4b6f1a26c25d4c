import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates a folder of the calling test file, which removes it at its end, and a writer of programs in the place of ffmpeg. */
export const impostors = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
  afterAll(() => rm(directory, { recursive: true }))

  /** Writes such a program, and returns its path. */
  const impostor = async (name: string, script: string) => {
    const path = join(directory, name)
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    return path
  }

  return { directory, impostor }
}
