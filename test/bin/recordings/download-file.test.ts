import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { downloadFile } from '../../../bin/recordings/download-file.ts'

const film = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
const sha256 = createHash('sha256').update(film).digest('hex')

let folder: string
let server: Server
let url: string
/** Bytes of each answer that remains incomplete; the whole rest by default. */
let cuts: number[]
let incomplete: ServerResponse | undefined
let ranges: (string | undefined)[]
let statuses: number[]
let knowsRanges: boolean

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  cuts = []
  ranges = []
  statuses = []
  knowsRanges = true
  server = createServer(({ headers: { range } }, response) => {
    ranges.push(range)
    const refusal = statuses.shift()
    if (refusal) return response.writeHead(refusal).end()
    const start = knowsRanges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
    const rest = film.subarray(start)
    const isRange = range !== undefined && knowsRanges
    response.writeHead(isRange ? 206 : 200, {
      'content-length': rest.length,
      ...(isRange && { 'content-range': `bytes ${start}-${film.length - 1}/${film.length}` }),
    })
    const cut = cuts.shift()
    if (cut === undefined) return response.end(rest)
    incomplete = response
    return response.write(rest.subarray(0, cut))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const file = (changes = {}) => ({ url, size: film.length, sha256, version: 'v1', fileName: 'A – b.mp4', ...changes })

const download = (changes = {}, options = {}) =>
  downloadFile(file(changes), {
    folder,
    renew: async () => url,
    signal: new AbortController().signal,
    clock: { sleep: async () => {} },
    ...options,
  })

const isFilm = async (name: string) => film.equals(await readFile(join(folder, name)))

describe('downloadFile', () => {
  it('resumes where a connection was lost', async () => {
    cuts = [100_000, 50_000]
    const stored: number[] = []
    const onProgress = (bytes: number) => {
      stored.push(bytes)
      incomplete?.destroy()
    }
    const { path, outcome } = await download({}, { onProgress })
    expect([path, outcome, await isFilm('A – b.mp4')]).toEqual([join(folder, 'A – b.mp4'), 'downloaded', true])
    const resumed = expect.stringMatching(/^bytes=[1-9]\d*-$/)
    expect(ranges).toEqual([undefined, resumed, resumed])
    expect([stored.toSorted((one, other) => one - other), stored.at(-1)]).toEqual([stored, film.length])
  })

  it('resumes what an earlier process has left, and starts again without ranges', async () => {
    statuses = [500, 500, 500, 500, 500]
    const partial = `.${createHash('sha256').update('v1').digest('hex').slice(0, 12)}.part`
    await writeFile(join(folder, partial), film.subarray(0, 1_000))
    await expect(download()).rejects.toThrow('the server answered 500. Run the command again to resume.')
    expect(await readdir(folder)).toEqual([partial])
    await download()
    expect(ranges.at(-1)).toBe('bytes=1000-')
    expect(await readdir(folder)).toEqual(['A – b.mp4'])

    knowsRanges = false
    await writeFile(join(folder, partial), film.subarray(0, 1_000))
    await rm(join(folder, 'A – b.mp4'))
    await download()
    expect(await isFilm('A – b.mp4')).toBe(true)
  })

  it('renews an expired link', async () => {
    statuses = [403]
    const renewed: string[] = []
    await download({}, { renew: async () => renewed.push('once') && url })
    expect([renewed, await isFilm('A – b.mp4')]).toEqual([['once'], true])
  })

  it('keeps another file of the same name', async () => {
    await writeFile(join(folder, 'A – b.mp4'), 'mine')
    expect((await download()).path).toBe(join(folder, 'A – b (2).mp4'))
    expect(await readFile(join(folder, 'A – b.mp4'), 'utf8')).toBe('mine')
    expect((await download()).outcome).toBe('present')
  })

  it('gives no name to other bytes than were published', async () => {
    await expect(download({ sha256: 'f'.repeat(64) })).rejects.toThrow('with other bytes than were published')
    expect(await readdir(folder)).toEqual([])
  })

  it('stops when it is interrupted, and keeps what it has', async () => {
    const interruption = new AbortController()
    const stop = () => interruption.abort(new Error('Interrupted.'))
    await expect(download({}, { signal: interruption.signal, onProgress: stop })).rejects.toThrow('Interrupted.')
    expect(await readdir(folder)).toEqual([expect.stringMatching(/\.part$/)])
  })
})
