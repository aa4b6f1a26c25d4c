import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ffmpegVersion, readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { impostors } from './impostors.ts'

const { directory, impostor } = await impostors()

describe('readFfmpegBuild', () => {
  it.each([
    ['N-47683-g0e8eb07980-static', 'libavutil      56. 24.101 / 56. 24.101', false],
    ['5.0.3', 'libavutil      57. 17.100 / 57. 17.100', false],
    ['5.1.9-0+deb12u1', 'libavutil      57. 28.100 / 57. 28.100', true],
    ['n7.0-7-gd38bf5e08e-20240407', 'libavutil      59.  8.100 / 59.  8.100', true],
    ['9.0.2-https://example.org', 'libavutil      61.  9.100 / 61.  9.100', true],
    ['2031-01-01-git', '', true],
  ])('reads of %s how frames keep their times', async (version, library, isSupported) => {
    const path = await impostor(version.slice(0, 5), `echo "ffmpeg version ${version} Copyright"; echo "${library}"`)
    const frameTiming = isSupported ? '-fps_mode' : '-vsync'
    expect(await readFfmpegBuild(path)).toEqual({ version, isSupported, frameTiming })
  })

  it('asks once, and again after a failure', async () => {
    const count = join(directory, 'count')
    const path = await impostor('counting', `echo >> ${count}; [ $(wc -l < ${count}) -gt 1 ] && echo ffmpeg version 7`)
    await expect(ffmpegVersion(path)).rejects.toThrow('does not state its version')
    expect(await Promise.all([ffmpegVersion(path), ffmpegVersion(path)])).toEqual(['7', '7'])
    expect(await ffmpegVersion(path)).toBe('7')
    expect((await readFile(count)).length).toBe(2)
  })

  it('refuses what states no version', async () => {
    await expect(ffmpegVersion(await impostor('mute', 'exit 0'))).rejects.toThrow(/mute does not state which version/)
    await expect(ffmpegVersion(join(directory, 'absent'))).rejects.toMatchObject({ name: 'MediaError' })
  })
})
