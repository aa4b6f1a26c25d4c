import { mkdtempDisposable, readdir, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ndc from 'node-datachannel'
import { expect, it, onTestFinished } from 'vitest'
import { eachAtOnce } from '../../../../../bench/figures.ts'
import type { SandboxDoor } from '../../../../../bench/live/door.ts'
import { encodePictures } from '../../../../../bench/live/pictures.ts'
import { startSandboxServer } from '../../../../../bench/live/sandbox-server.ts'
import { childProcessesOf } from '../../../../../bench/publish/memory.ts'
import { startSubprocess } from '../../../../../bench/subprocess.ts'
import { findFfmpeg } from '../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { eventually } from '../open-doors.ts'

/** Joins at once, and joins before and after the first measurement. */
const [AT_ONCE, WARM_UP, COUNT] = [10, 60, 240]
/** Bytes by which the heap may grow in 240 joins. */
const MAX_GROWTH = 4_000_000

it('clients who join and leave leave no socket, no process and no memory behind', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'joins-'))
  const { signal } = new AbortController()
  const server = await startSandboxServer(signal)
  onTestFinished(server.close)
  const door = (await server.openDoor()) as SandboxDoor
  const pictures = join(folder.path, 'pictures.ivf')
  await encodePictures(await findFfmpeg(), pictures)
  const options = { door, publishers: 1, pictures }
  await using _publisher = await startSubprocess(
    new URL('../../../../../bench/live/publisher-process.ts', import.meta.url),
    options,
    signal,
  )
  const [stream = ''] = await server.untilPublished(door, 1)
  const joinAll = (count: number) => eachAtOnce([...Array(count).keys()], AT_ONCE, () => joinAndLeave(door, stream))
  const idle = await socketsOf(server.pid)

  await joinAll(WARM_UP)
  await eventually(
    () => socketsOf(server.pid),
    (sockets) => sockets <= idle,
  )
  const before = await server.memory()
  await joinAll(COUNT)
  await eventually(
    () => socketsOf(server.pid),
    (sockets) => sockets <= idle,
  )
  await expect.poll(async () => (await server.memory()).heap - before.heap).toBeLessThan(MAX_GROWTH)
  await expect.poll(() => childProcessesOf(server.pid)).toEqual([])
})

/** Subscribes to a stream, and leaves once video arrives. */
async function joinAndLeave({ url, tokens }: SandboxDoor, stream: string): Promise<void> {
  const peer = new ndc.PeerConnection('joining', { iceServers: [], bindAddress: '127.0.0.1' })
  const video = new ndc.Video('0', 'RecvOnly')
  video.addVP8Codec(96)
  const track = peer.addTrack(video)
  track.setMediaHandler(new ndc.RtcpReceivingSession())
  const received = new Promise<void>((resolve) => track.onMessage(() => resolve()))
  await new Promise<void>((resolve) => {
    peer.onGatheringStateChange((state) => state === 'complete' && resolve())
    peer.setLocalDescription('offer')
  })
  const authorization = `Bearer ${tokens.subscriber}`
  const response = await fetch(`${url}/whep?stream=${stream}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/sdp' },
    body: peer.localDescription()?.sdp ?? '',
  })
  peer.setRemoteDescription(await response.text(), 'answer')
  await received
  await fetch(response.headers.get('location') ?? '', { method: 'DELETE', headers: { authorization } })
  track.close()
  peer.close()
}

/** Returns the number of sockets of UDP that a process has open, each of which is a peer's. */
async function socketsOf(pid: number): Promise<number> {
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const own = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]).filter(Boolean))
  const lines = (await readFile(`/proc/${pid}/net/udp`, 'latin1')).trim().split('\n').slice(1)
  return lines.filter((line) => own.has(line.trim().split(/\s+/)[9])).length
}
