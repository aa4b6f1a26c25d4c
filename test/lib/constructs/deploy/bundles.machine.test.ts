import { readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundle, bundleShared } from '../../../../lib/constructs/deploy/bundles.ts'

describe('bundle', () => {
  it('makes one module for each function, whose handler runs without the repository', async () => {
    const folder = bundle(['publish/start-publish'])('publish/start-publish')
    const { handler } = await import(/* @vite-ignore */ pathToFileURL(`${folder}/index.mjs`).href)
    await expect(handler({}, {})).rejects.toMatchObject({ name: 'TaskInputError' })
    const imported = readFileSync(`${folder}/index.mjs`, 'utf8').matchAll(/(?<!")\bfrom ?"([^"]+)"/g)
    const foreign = [...imported].map(([, name = '']) => name).filter((name) => !isBuiltin(name))
    expect(foreign).toEqual([])
  })

  it('does not rewrite an unchanged file, which another process may be reading', () => {
    const file = `${bundle(['publish/start-publish'])('publish/start-publish')}/index.mjs`
    const { mtimeMs, ino } = statSync(file)
    bundle(['publish/start-publish'])
    expect(statSync(file)).toMatchObject({ mtimeMs, ino })
  })
})

describe('bundleShared', () => {
  it('makes functions that run and import the code of both from one place', async () => {
    const files = ['publish/start-publish', 'publish/inspect-recording']
    const folderOf = bundleShared(files)
    const shared = files.map((file) => {
      const text = readFileSync(`${folderOf(file)}/index.mjs`, 'utf8')
      return new Set([...text.matchAll(/\bfrom ?"\.\.\/\.\.\/(shared\/[^"]+)"/g)].map(([, name]) => name))
    })
    expect(shared[0]?.intersection(shared[1] ?? new Set()).size).toBeGreaterThan(0)
    for (const file of files) {
      const { handler } = await import(/* @vite-ignore */ pathToFileURL(`${folderOf(file)}/index.mjs`).href)
      await expect(handler({}, {})).rejects.toMatchObject({ name: 'TaskInputError' })
    }
  })
})
