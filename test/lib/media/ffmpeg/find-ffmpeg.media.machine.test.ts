import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { impostors } from './impostors.ts'

const { directory, impostor } = await impostors()

describe('findFfmpeg', () => {
  it('takes what FFMPEG_PATH names', async () => {
    const path = await impostor('named', 'echo ffmpeg version 7')
    expect(await findFfmpeg({ FFMPEG_PATH: path, PATH: '' })).toBe(path)
  })

  it.each(['missing', 'a-directory', 'not-executable'])(
    'refuses an FFMPEG_PATH that is %s, instead of looking further',
    async (name) => {
      await mkdir(join(directory, 'a-directory'), { recursive: true })
      await writeFile(join(directory, 'not-executable'), '', { mode: 0o644 })
      const named = join(directory, name)
      await expect(findFfmpeg({ FFMPEG_PATH: named, PATH: process.env.PATH })).rejects.toThrow(
        `FFMPEG_PATH is ${named}, which is not an executable file: correct it or unset it.`,
      )
    },
  )

  it('refuses an FFMPEG_PATH that names another program', async () => {
    const fails = await impostor('fails', 'exit 3')
    await expect(findFfmpeg({ FFMPEG_PATH: fails })).rejects.toThrow(
      `FFMPEG_PATH is ${fails}, which does not work as ffmpeg (ffmpeg exited with code 3): correct it or unset it.`,
    )
    const other = await impostor('other', 'echo sox version 14')
    await expect(findFfmpeg({ FFMPEG_PATH: other })).rejects.toThrow(`${other}, which is not ffmpeg: correct it`)
  })

  it('takes the first of PATH, passing over a directory of that name', async () => {
    const [first, second] = [join(directory, 'first'), join(directory, 'second')]
    await mkdir(join(first, 'ffmpeg'), { recursive: true })
    await mkdir(second)
    const path = await impostor('second/ffmpeg', 'exit 0')
    expect(await findFfmpeg({ PATH: ['', first, second].join(delimiter) })).toBe(path)
  })

  it('falls back to the bundled build, which runs', async () => {
    const path = await findFfmpeg({})
    expect(path).toContain('node_modules')
    if (process.arch === 'x64' && process.platform === 'linux') expect(path).toContain('@ffmpeg-binary')
    expect((await readFfmpegBuild(path)).version).toMatch(/\d/)
  })
})
