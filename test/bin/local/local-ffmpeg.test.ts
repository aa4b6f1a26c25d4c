import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findLocalFfmpeg } from '../../../bin/local/local-ffmpeg.ts'

it.each([
  ['N-47683-g0e8eb07980-static', '56. 24.101', 1],
  ['5.1.9', '57. 28.100', 0],
])('warns about a build before 5.1: %s', async (version, library, count) => {
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'ffmpeg')
  const script = `#!/bin/sh\necho "ffmpeg version ${version} Copyright"; echo "libavutil      ${library} / ${library}"\n`
  await writeFile(path, script, { mode: 0o755 })
  const warnings: string[] = []
  expect(await findLocalFfmpeg((words) => warnings.push(words), { PATH: directory })).toBe(path)
  expect(warnings).toHaveLength(count)
  for (const warning of warnings)
    expect(warning).toContain(`ffmpeg ${version} at ${path} lacks years of security fixes`)
})
