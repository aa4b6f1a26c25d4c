import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const entry = fileURLToPath(new URL('../../../lib/client/exports/showrunner.ts', import.meta.url))

/** Bundles the entry point for a browser. */
const bundle = () =>
  build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'showrunner',
    platform: 'neutral',
    logLevel: 'silent',
  })

describe('the entry point showrunner', () => {
  it('consists of the client and the clock: no package, no schema, no module of Node', async () => {
    const { metafile, outputFiles } = await bundle()
    const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
    expect(used.filter((path) => !/lib\/(client\/.*|clock)\.ts$/.test(path))).toEqual([])
    expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external))).toEqual(
      [],
    )
    expect(outputFiles[0]?.contents.length).toBeLessThan(20_500)
  })

  it('runs where only the web’s own names exist', async () => {
    const { outputFiles } = await bundle()
    const asked: string[] = []
    const context = createContext({
      ...{ URL, URLSearchParams, AbortSignal, crypto, setTimeout, clearTimeout },
      fetch: async (url: string, { headers }: { headers: Record<string, string> }) => {
        asked.push(url, headers.authorization ?? '')
        return Response.json({ items: [{ showId: 'a' }] })
      },
    })
    const script = `${outputFiles[0]?.text}
      const client = showrunner.createShowrunner({ url: 'https://api.example.com', token: async () => 't' })
      client.shows.list({ limit: 1 }).page()`
    expect(await runInContext(script, context)).toEqual({ items: [{ showId: 'a' }] })
    expect(asked).toEqual(['https://api.example.com/shows?limit=1', 'Bearer t'])
  })
})
