import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium } from '../../../../../local/sandbox/composers/chromium/find-chromium.ts'

describe('findChromium', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'find-chromium-'))
    onTestFinished(() => rm(directory, { recursive: true }))
  })

  async function install(name: string, mode = 0o755): Promise<string> {
    const path = join(directory, name)
    await writeFile(path, '')
    await chmod(path, mode)
    return path
  }

  it('takes CHROME_PATH before anything in PATH', async () => {
    const named = await install('my-browser')
    await install('chromium')
    expect(await findChromium({ CHROME_PATH: named, PATH: directory })).toBe(named)
  })

  it('takes chromium before google-chrome, in any directory of PATH', async () => {
    await install('google-chrome')
    expect(await findChromium({ PATH: directory })).toBe(join(directory, 'google-chrome'))
    const other = join(directory, 'other')
    await mkdir(other)
    const chromium = await install('other/chromium')
    expect(await findChromium({ PATH: ['', directory, other].join(delimiter) })).toBe(chromium)
  })

  it('passes over directories, and files that cannot be executed', async () => {
    await install('chromium', 0o644)
    await mkdir(join(directory, 'google-chrome'))
    expect(await findChromium({ PATH: directory })).toBeUndefined()
    expect(await findChromium({})).toBeUndefined()
  })

  it('refuses a CHROME_PATH that is not a program', async () => {
    const path = await install('notes', 0o644)
    await expect(findChromium({ CHROME_PATH: path })).rejects.toThrow(
      `CHROME_PATH is ${path}, which is not an executable file: correct it or unset it.`,
    )
  })
})
