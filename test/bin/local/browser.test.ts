import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../../../bin/local/browser.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('findBrowser', () => {
  it.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
  ] as const)('opens an address on %s with %s', async (platform, program) => {
    const folder = await makeFolder()
    const opened = join(folder, 'opened')
    await writeFile(join(folder, program), `#!/bin/sh\nprintf %s "$1" > ${opened}.new; mv ${opened}.new ${opened}\n`, {
      mode: 0o700,
    })
    const browser = await findBrowser({ PATH: folder }, platform)
    browser.open('http://127.0.0.1:1/watch/a?s=1&t=2')
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe('http://127.0.0.1:1/watch/a?s=1&t=2')
  })

  it.each([
    ['linux', /^No browser can be opened: xdg-open or wslview was not found in PATH\. Leave --open out/],
    ['win32', /^No browser can be opened: a program that does it was not found/],
  ] as const)('reports that %s has no program for it', async (platform, sentence) => {
    const PATH = await makeFolder()
    await expect(findBrowser({ PATH }, platform)).rejects.toThrow(sentence)
  })
})
