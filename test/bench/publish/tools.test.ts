import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findTools } from '../../../bench/publish/tools.ts'

describe('findTools', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-tools-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const install = async (name: string) => {
    await writeFile(join(folder, name), '')
    await chmod(join(folder, name), 0o700)
  }

  it('finds both in the path', async () => {
    await install('ffmpeg')
    await install('ffprobe')
    const tools = { ffmpegPath: join(folder, 'ffmpeg'), ffprobePath: join(folder, 'ffprobe') }
    expect(await findTools(`/nowhere::${folder}`)).toEqual(tools)
  })

  it('says in one sentence what to install when one is missing', async () => {
    await install('ffmpeg')
    await expect(findTools(folder)).rejects.toThrow(/^This bench needs .*: apt-get install ffmpeg$/)
  })
})
