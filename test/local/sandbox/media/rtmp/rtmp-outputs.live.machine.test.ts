import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { startRtmpOutputs } from '../../../../../local/sandbox/media/rtmp/rtmp-outputs.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { measureLateness } from '../../../../support/lateness.ts'
import { flvTags, writeFlv } from '../../../../support/rtmp/flv-file.ts'
import { freePort } from '../../../../support/rtmp/free-port.ts'
import { type Manners, startRtmpServer } from '../../../../support/rtmp/rtmp-server.ts'

const { metadata, pictureHeader, audioHeader, keyFrame, frame, audio } = flvTags
const SETUP = [metadata(), pictureHeader(), audioHeader()]
/** Bytes to remove from a file, so that its tags continue another. */
const FILE_HEADER_BYTES = 13

async function openServer(manners?: Manners) {
  const server = await startRtmpServer(manners)
  onTestFinished(() => server.close())
  return server
}

/** Starts outputs to these servers, numbered from 0, and sends them the headers. */
function open(urls: readonly string[], authorities?: readonly string[], reconnectWindow?: number) {
  const clock = createSteppedClock(Date.UTC(2026, 0, 1))
  const targets = urls.map((serverUrl, index) => ({ id: String(index), serverUrl, streamName: `key-${index}` }))
  const outputs = startRtmpOutputs(targets, { clock, authorities, reconnectWindow })
  onTestFinished(() => outputs.close())
  const statuses: string[] = urls.map(() => 'connecting')
  outputs.listen((id, link) => {
    statuses[Number(id)] = link
  })
  outputs.write(writeFlv(SETUP))
  const write = (...pieces: readonly Parameters<typeof writeFlv>[0][number][]) =>
    outputs.write(writeFlv(pieces).subarray(FILE_HEADER_BYTES))
  /** Sends key frames for as long as it takes, as an encoder would. */
  const until = (expected: readonly string[], time = 0) =>
    expect
      .poll(() => {
        write(keyFrame(time))
        return statuses
      })
      .toEqual(expected)
  return { clock, outputs, statuses, write, until }
}

describe('startRtmpOutputs', () => {
  it('publishes under application and stream name, headers first, with times from the first key frame', async () => {
    const server = await openServer()
    const { outputs, write, until } = open([server.url])
    await until(['live'], 5_000)
    const [publication] = server.publications
    write(audio(4_990), frame(5_033), audio(5_040), keyFrame(5_066, 10_000))
    await outputs.stop()

    expect(publication).toMatchObject({ app: 'live', streamName: 'key-0', isOver: true })
    const received = publication?.media.map(({ type, time, body }) => [type, time, body.length])
    const sent = [keyFrame(0), frame(33), audio(40), keyFrame(66, 10_000)]
    expect(received?.slice(0, 3).map(([type, time]) => [type, time])).toEqual([18, 9, 8].map((type) => [type, 0]))
    expect(received?.slice(-4)).toEqual(sent.map(({ type, time, body }) => [type, time, body.length]))
    expect(publication?.media[0]?.body.toString('latin1')).toMatch(/@setDataFrame.*onMetaData.*width/s)
    expect(publication?.media.at(-1)?.body).toEqual(keyFrame(0, 10_000).body)
  })

  it('is live from the first key frame', async () => {
    const server = await openServer()
    const { statuses, write, until } = open([server.url])
    await expect.poll(() => server.publications.length).toBe(1)
    write(frame(33), audio(40))
    expect(statuses).toEqual(['connecting'])
    await until(['live'])
    await expect.poll(() => server.publications[0]?.media[3]?.body).toEqual(keyFrame(0).body)
  })

  it('sends the commands of publishers, acknowledges and answers pings', async () => {
    const server = await openServer()
    const { outputs, until } = open([server.url])
    await until(['live'])
    await outputs.stop()
    expect(server.commands).toEqual([
      ...['connect', 'releaseStream', 'FCPublish', 'createStream', 'publish', 'FCUnpublish', 'deleteStream'],
    ])
    const controls = server.controls.map(({ type, body }) => [type, body.toString('hex')])
    expect(controls).toContainEqual([5, '002625a0'])
    expect(controls).toContainEqual([4, '000701020304'])
    expect(
      controls.filter(([type]) => type === 3).map(([, bytes]) => Number.parseInt(String(bytes), 16) >= 400),
    ).toEqual([true])
  })

  it.each<[string, Manners]>([
    ['refuses the connection', { refuses: 'connect' }],
    ['creates no stream', { refuses: 'createStream' }],
    ['refuses the stream', { refuses: 'publish' }],
    ['speaks something else', { isForeign: true }],
  ])('is offline when the server %s, and the others continue', async (_, manners) => {
    const bad = await openServer(manners)
    const good = await openServer()
    const { until } = open([bad.url, good.url])
    await until(['offline', 'live'])
    expect(bad.publications).toEqual([])
  })

  it('is offline when nothing listens, or the host has no address', async () => {
    const { until } = open([`rtmp://127.0.0.1:${await freePort()}/live`, 'rtmp://nowhere.invalid/live'])
    await until(['offline', 'offline'])
  })

  it('is offline when the server has not accepted the stream after ten seconds of the clock', async () => {
    const silent = await openServer({ isSilent: true })
    const good = await openServer()
    const { clock, statuses, until } = open([silent.url, good.url])
    await until(['connecting', 'live'])
    await clock.advance(9_999)
    expect(statuses).toEqual(['connecting', 'live'])
    await clock.advance(1)
    expect(statuses).toEqual(['offline', 'live'])
  })

  it('is offline permanently when the connection is lost', async () => {
    const lost = await openServer()
    const kept = await openServer()
    const { until, write } = open([lost.url, kept.url])
    await until(['live', 'live'])
    lost.drop()
    await until(['offline', 'live'])
    write(keyFrame(40, 77))
    await expect.poll(() => kept.publications[0]?.media.at(-1)?.body.length).toBe(keyFrame(40, 77).body.length)
    expect(lost.publications).toHaveLength(1)
  })

  it('connects again within the window, from the headers and the time 0', async () => {
    const lost = await openServer()
    const { clock, until, write, statuses } = open([lost.url], [], 30)
    await until(['live'], 5_000)
    lost.drop()
    await until(['connecting'], 6_000)
    await clock.advance(500)
    await until(['live'], 7_000)
    write(keyFrame(7_066, 77))
    await expect.poll(() => lost.publications[1]?.media.at(-1)?.body.length).toBe(keyFrame(0, 77).body.length)
    const received = lost.publications[1]?.media.map(({ type, time }) => [type, time])
    expect(received?.slice(0, 4)).toEqual([18, 9, 8, 9].map((type) => [type, 0]))
    expect(statuses).toEqual(['live'])
  })

  it('is offline when the window has passed without a connection, and is in error when the FLV ends meanwhile', async () => {
    const gone = await openServer()
    const first = open([gone.url], [], 30)
    const second = open([gone.url], [], 30)
    await first.until(['live'])
    await second.until(['live'])
    await gone.close()
    await first.until(['connecting'])
    await second.until(['connecting'])
    second.outputs.write(Buffer.alloc(30, 7))
    expect(second.statuses).toEqual(['error'])
    const begunAt = first.clock.now()
    await expect
      .poll(async () => {
        await first.clock.advance(500)
        return first.statuses
      })
      .toEqual(['offline'])
    expect(first.clock.now() - begunAt).toBeGreaterThanOrEqual(30_000)
  })

  it('disconnects a server that reads too slowly, without delaying others', async () => {
    const slow = await openServer({ stopsReading: true })
    const good = await openServer()
    const { until, write, statuses } = open([slow.url, good.url])
    await until(['live', 'live'])
    const megabyte = keyFrame(100, 1024 * 1024)
    for (let sent = 1; statuses[0] === 'live' && sent <= 100; sent++) {
      write(megabyte)
      await expect.poll(() => good.publications[0]?.media.filter(({ body }) => body.length > 10_000).length).toBe(sent)
    }
    expect(statuses).toEqual(['offline', 'live'])
  })

  it('publishes through TLS only to a server whose certificate is trusted', async () => {
    const certificate = createSelfSignedCertificate()
    const server = await openServer({ certificate })
    const { host, port } = { host: 'localhost', port: new URL(server.url).port }
    await open([server.url]).until(['offline'])
    await open([server.url, `rtmps://${host}:${port}/live`], [certificate.cert]).until(['live', 'live'])
    expect(server.publications).toHaveLength(2)
  })

  it('trusts no certificate for another host', async () => {
    const certificates = [createSelfSignedCertificate(), createSelfSignedCertificate({ host: 'elsewhere.example' })]
    const servers = await Promise.all(certificates.map((certificate) => openServer({ certificate })))
    const urls = servers.map(({ url }) => url.replace('127.0.0.1', 'localhost'))
    const { until } = open(
      urls,
      certificates.map(({ cert }) => cert),
    )
    await until(['live', 'offline'])
  })

  it('is in error when the FLV is invalid', async () => {
    const server = await openServer()
    const { outputs, until, statuses } = open([server.url])
    await until(['live'])
    outputs.write(Buffer.alloc(30, 7))
    expect(statuses).toEqual(['error'])
  })

  it('reports to late listeners, and nothing after its end', async () => {
    const server = await openServer()
    const { outputs, until, statuses } = open([server.url, 'rtmp://nowhere.invalid/live'])
    await until(['live', 'offline'])
    const late: unknown[] = []
    outputs.listen((...reports) => late.push(reports))
    expect(late.toSorted()).toEqual([
      ['0', 'live'],
      ['1', 'offline'],
    ])
    outputs.close()
    await expect.poll(() => server.publications[0]?.isOver).toBe(false)
    expect(statuses).toEqual(['live', 'offline'])
    await outputs.stop()
  })

  it('waits at most two seconds for a server that never closes', async () => {
    const slow = await openServer({ stopsReading: true })
    const { outputs, until, write } = open([slow.url])
    await until(['live'])
    for (let sent = 0; sent < 7; sent++) write(keyFrame(sent, 1024 * 1024))
    const meter = measureLateness()
    const begunAt = Date.now()
    await outputs.stop()
    const endedAt = Date.now()
    meter.stop()
    expect(endedAt - begunAt - meter.between(begunAt, endedAt)).toBeLessThan(5_000)
  })
})
