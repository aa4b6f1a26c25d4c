import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { attempt } from '../support/browsers/attempt.ts'
import { createSelfSignedCertificate } from '../support/certificates.ts'
import { ONE_TURN } from '../support/media/attendance.ts'
import { expectWhole, observe } from '../support/media/observe.ts'
import { timeOfCode } from '../support/media/times.ts'
import { freePort } from '../support/rtmp/free-port.ts'
import { type LiveSandbox, startLiveSandbox } from '../support/rtmp/live-sandbox.ts'
import { type Nginx, startNginx } from '../support/rtmp/nginx.ts'
import { startTlsFront } from '../support/rtmp/tls-front.ts'
import { findTool } from '../support/tools.ts'

/** Of every stream name, and of nothing else. */
const KEY = 'key-that-nobody-may-see'
/** ffmpeg reads `EXT-X-MAP` again after each reload of a live playlist, also where it is the same. */
const MAP_READ_AGAIN = /^.*Found duplicated MOOV Atom\. Skipped it\n( +Last message repeated \d+ times?\n)?/gm
const keyOf = (id: string) => `${id}-${KEY}`

let folder: string
let ffmpegPath: string
let nginx: Nginx
let sandbox: LiveSandbox
/** What nginx asks before it takes a stream is answered when the test says so. */
const asked = new Map<string, PromiseWithResolvers<void>>()
const answers = new Map<string, Promise<boolean>>()

const certificates = {
  trusted: createSelfSignedCertificate(),
  untrusted: createSelfSignedCertificate(),
  expired: createSelfSignedCertificate({ expires: '210101000000Z' }),
  misnamed: createSelfSignedCertificate({ host: 'elsewhere.example' }),
}

/** An ffmpeg that notes its arguments. */
async function wrapFfmpeg(): Promise<string> {
  const path = join(folder, 'ffmpeg')
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${folder}/arguments'\nexec '${ffmpegPath}' "$@"\n`)
  await chmod(path, 0o755)
  return path
}

beforeAll(async () => {
  ffmpegPath = await findTool('ffmpeg', 'ffmpeg')
  nginx = await startNginx((streamName) => {
    asked.get(streamName)?.resolve()
    return answers.get(streamName) ?? false
  })
  folder = await mkdtemp(join(tmpdir(), 'showrunner-rtmp-'))
  const authorities = join(folder, 'authorities.pem')
  const { trusted, expired, misnamed } = certificates
  await writeFile(authorities, [trusted, expired, misnamed].map(({ cert }) => cert).join(''))
  sandbox = await startLiveSandbox({ FFMPEG_PATH: await wrapFfmpeg(), NODE_EXTRA_CA_CERTS: authorities })
})
afterAll(async () => {
  await sandbox?.close()
  await nginx?.close()
  if (folder) await rm(folder, { recursive: true })
})

const output = (id: string, serverUrl: string) => ({ id, serverUrl, streamName: keyOf(id) })

/** Watches what nginx has kept of an output that is over. */
async function watch(id: string) {
  await vi.waitUntil(() => nginx.isOver(keyOf(id)), { timeout: 300_000 })
  const seen = await observe(ffmpegPath, nginx.recordingOf(keyOf(id)))
  expectWhole(seen)
  return seen
}

describe.concurrent('a broadcast to nginx', () => {
  it('is live once nginx has accepted the publish, and not before', async () => {
    const answer = Promise.withResolvers<boolean>()
    const wasAsked = Promise.withResolvers<void>()
    answers.set(keyOf('held'), answer.promise)
    asked.set(keyOf('held'), wasAsked)
    const live = await sandbox.broadcast({ rtmp: [output('held', nginx.asking)] })
    await wasAsked.promise
    await live.goOn(2)
    expect(live.histories()).toEqual({ held: ['connecting'] })
    answer.resolve(true)
    await live.until({ held: 'live' })
    await live.goOn(4)
    await live.stop()
    expect(live.histories()).toEqual({ held: ['connecting', 'live'] })
    await watch('held')
  })

  it('is offline where it is refused, has no address or no server listens, and whole where it is taken', async () => {
    const live = await sandbox.broadcast({
      rtmp: [
        output('refused', nginx.asking), // answered by 403
        output('denied', nginx.denying),
        output('nowhere', 'rtmp://nowhere.invalid/open'),
        output('closed', `rtmp://127.0.0.1:${await freePort()}/open`),
        output('taken', nginx.open),
      ],
    })
    const others = { refused: 'offline', denied: 'offline', nowhere: 'offline', closed: 'offline' }
    await live.until({ ...others, taken: 'live' })
    await live.goOn(4)
    await live.stop()
    const offline = ['connecting', 'offline']
    expect(live.histories()).toEqual({
      ...{ refused: offline, denied: offline, nowhere: offline, closed: offline },
      taken: ['connecting', 'live'],
    })
    await watch('taken')
  })

  it('goes through TLS to a trusted certificate only, and waits ten seconds for a server that says nothing', async ({
    onTestFinished,
  }) => {
    const fronts = await Promise.all(
      Object.values(certificates).map((certificate) => startTlsFront(certificate, nginx.port)),
    )
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(async () => {
      for (const front of fronts) await front.close()
      silent.close()
    })
    const secure = Object.keys(certificates).map((id, index) =>
      output(id, `rtmps://localhost:${fronts[index]?.port}/open`),
    )
    const { port } = silent.address() as AddressInfo
    const live = await sandbox.broadcast({ rtmp: [...secure, output('silent', `rtmp://127.0.0.1:${port}/open`)] })
    const others = { untrusted: 'offline', expired: 'offline', misnamed: 'offline' }
    await live.until({ ...others, trusted: 'live', silent: 'connecting' })
    await live.until({ ...others, trusted: 'live', silent: 'offline' })
    const { ms, late } = await live.offlineAfter('silent')
    expect(ms).toBeGreaterThanOrEqual(9_900)
    expect(ms - late).toBeLessThan(12_000)
    await live.stop()
    await watch('trusted')
  })

  it('is offline when its server is killed, and continues to the other one and in the playlist', async ({
    onTestFinished,
  }) => {
    const doomed = await startNginx(() => true)
    onTestFinished(doomed.close)
    const live = await sandbox.broadcast({
      dvr: true,
      rtmp: [output('doomed', doomed.open), output('kept', nginx.open)],
    })
    await live.until({ doomed: 'live', kept: 'live' })
    await live.goOn(2)
    await doomed.kill()
    await live.until({ doomed: 'offline', kept: 'live' })
    await live.goOn(2)
    await live.stop()
    expect(live.histories()).toEqual({ doomed: ['connecting', 'live', 'offline'], kept: ['connecting', 'live'] })
    await watch('kept')
    expectWhole(await observe(ffmpegPath, live.file))
  })

  it('goes to five outputs at once, to each with the same pictures', async () => {
    const ids = ['one', 'two', 'three', 'four', 'five']
    const live = await sandbox.broadcast({ rtmp: ids.map((id) => output(id, nginx.open)) })
    await live.until(Object.fromEntries(ids.map((id) => [id, 'live'])))
    await live.goOn(4)
    await live.stop()
    const last: unknown[] = []
    for (const id of ids) last.push((await watch(id)).codes.at(-1))
    expect(new Set(last).size).toBe(1)
  })

  it('is played by ffmpeg to its end, from the third segment before the end of the live playlist on', async () => {
    let attempts = 0
    await attempt(async () => {
      attempts++
      const live = await sandbox.broadcast({})
      await live.goOn(8) // so that the playlist has more than three segments
      const path = join(folder, `played-${attempts}.ts`)
      const from = ['-live_start_index', '-3', '-protocol_whitelist', 'http,tcp', '-i', live.playlist]
      const earliest = await live.startOf(-3)
      const { child, ended } = startFfmpeg(ffmpegPath, ['-loglevel', 'warning', ...from, '-c', 'copy', path])
      let complaints = ''
      child.stderr?.on('data', (text: string) => {
        complaints += text
      })
      await vi.waitUntil(() => existsSync(path), { timeout: 300_000, interval: 50 })
      const latest = await live.startOf(-3)
      await live.goOn(4)
      await live.stop()
      await ended
      expect(complaints.replaceAll(MAP_READ_AGAIN, '')).toBe('')
      const seen = await observe(ffmpegPath, path)
      expectWhole(seen)
      const first = timeOfCode(seen.codes[0] ?? 0, earliest)
      expect(first).toBeGreaterThan(earliest - ONE_TURN)
      expect(first).toBeLessThan(latest + ONE_TURN)
    })
  })
})

describe('a broadcast to nginx, when all is over', () => {
  it('sends the names of its streams only to the servers, and ffmpeg no address', async () => {
    const printed = await sandbox.end()
    expect(printed).toContain('startBroadcast')
    expect(printed).not.toContain(KEY)
    const given = await readFile(join(folder, 'arguments'), 'utf8')
    expect(given).toContain('pipe:4') // what it wrote
    expect(given).not.toMatch(/:\/\//)
    expect(given).not.toContain(KEY)
  })
})
