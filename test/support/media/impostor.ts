import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Writes a program in the place of ffmpeg, which is removed after the test, and returns its path. */
export async function writeImpostor(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'ffmpeg')
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

/** Writes an ffmpeg whose processes are known. `pidOf` returns the id of the one that was started with a text among its arguments. */
export async function writeKnownFfmpeg(ffmpegPath: string) {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-pids-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pids = join(folder, 'pids')
  return {
    path: await writeImpostor(`echo $$ "$@" >> '${pids}'\nexec '${ffmpegPath}' "$@"`),
    async pidOf(argument: string): Promise<number> {
      const started = (await readFile(pids, 'utf8')).split('\n').find((line) => line.includes(argument))
      if (started === undefined) throw new Error(`No process has ${argument} among its arguments.`)
      return Number.parseInt(started, 10)
    },
  }
}
