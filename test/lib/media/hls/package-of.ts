import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, EncodedPacketSink, FilePathSource, Input, type InputTrack, MP4, type Source } from 'mediabunny'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { type CutPiece, cutPiece } from '../../../../lib/media/hls/cut-piece.ts'
import { type Piece, planPieces } from '../../../../lib/media/hls/pieces.ts'
import { writeMasterPlaylist } from '../../../../lib/media/hls/playlists/master-playlist.ts'
import {
  commonTarget,
  type PlaylistPiece,
  type Rendition,
  writeIframePlaylist,
  writeMediaPlaylist,
} from '../../../../lib/media/hls/playlists/media-playlist.ts'
import { inspect } from '../../../../lib/media/inspect.ts'

export interface Package {
  readonly plan: { readonly pieces: readonly Piece[] }
  /** The pieces in order. */
  readonly cuts: readonly CutPiece[]
  /** The bytes of all objects, by name. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly renditions: { readonly video: Rendition | undefined; readonly audio: Rendition | undefined }
}

/** Cuts a recording into pieces of so many seconds and writes the HLS package they make into a directory. */
export async function packageOf(source: ByteSource, seconds: number, directory: string): Promise<Package> {
  const plan = { pieces: await planPieces(source, { seconds }) }
  const found = await inspect(source)
  const files = new Map<string, Buffer>()
  const cuts: CutPiece[] = []
  const pieces = { video: [] as PlaylistPiece[], audio: [] as PlaylistPiece[] }
  for (const piece of plan.pieces) {
    const chunks = { video: [] as Buffer[], audio: [] as Buffer[] }
    const cut = await cutPiece(source, piece, async (track, bytes) => {
      chunks[track].push(Buffer.from(bytes))
    })
    cuts.push(cut)
    for (const track of ['video', 'audio'] as const) {
      const found = cut[track]
      if (!found) continue
      const uri = `${track}-${piece.index}.mp4`
      files.set(uri, Buffer.concat(chunks[track]))
      files.set(`${track}-init.mp4`, found.init)
      pieces[track].push({ uri, index: found.index })
    }
  }
  const renditionOf = (track: 'video' | 'audio'): Rendition | undefined =>
    pieces[track].length > 0 ? { initUri: `${track}-init.mp4`, pieces: pieces[track] } : undefined
  const renditions = { video: renditionOf('video'), audio: renditionOf('audio') }
  const { video, audio } = renditions
  const target = commonTarget([video, audio].filter((one) => one !== undefined))
  if (video) files.set('video.m3u8', Buffer.from(writeMediaPlaylist(video, target)))
  if (video) files.set('iframes.m3u8', Buffer.from(writeIframePlaylist(video)))
  if (audio) files.set('audio.m3u8', Buffer.from(writeMediaPlaylist(audio, target)))
  const { codec, picture } = cuts[0]?.video ?? {}
  const cutVideo = codec && picture && { codec, ...picture, frameRate: found.video?.frameRate ?? 0 }
  const master = writeMasterPlaylist({
    videos: video && cutVideo ? [{ ...cutVideo, uri: 'video.m3u8', iframesUri: 'iframes.m3u8', rendition: video }] : [],
    audio: audio
      ? {
          uri: 'audio.m3u8',
          codec: cuts[0]?.audio?.codec ?? '',
          channels: found.audio?.channels ?? 0,
          rendition: audio,
        }
      : null,
  })
  files.set('master.m3u8', Buffer.from(master))
  await mkdir(directory, { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(directory, name), bytes)
  return { plan, cuts, files, renditions }
}

export interface Packets {
  readonly video: readonly string[]
  readonly audio: readonly string[]
}

/** All packets of a file in stored order, each as its time in microseconds, kind and checksum. */
export const packetsIn = (path: string): Promise<Packets> => packetsOf(new FilePathSource(path))

/** The same of a package, as a player gets them: the init segment, then the objects one after the other. */
export async function packetsOfPackage({ files, plan }: Package): Promise<Packets> {
  const of = async (track: 'video' | 'audio') => {
    const names = [`${track}-init.mp4`, ...plan.pieces.map(({ index }) => `${track}-${index}.mp4`)]
    const bytes = Buffer.concat(names.map((name) => files.get(name) ?? Buffer.alloc(0)))
    return bytes.length > 0 ? (await packetsOf(new BufferSource(bytes)))[track] : []
  }
  return { video: await of('video'), audio: await of('audio') }
}

async function packetsOf(source: Source): Promise<Packets> {
  const input = new Input({ formats: [MP4], source })
  const video = await list(await input.getPrimaryVideoTrack())
  const audio = await list(await input.getPrimaryAudioTrack())
  input.dispose()
  return { video, audio }
}

async function list(track: InputTrack | null): Promise<string[]> {
  const packets: string[] = []
  if (!track) return packets
  for await (const { timestamp, type, data } of new EncodedPacketSink(track).packets()) {
    packets.push(`${Math.round(timestamp * 1e6)} ${type} ${createHash('sha256').update(data).digest('hex')}`)
  }
  return packets
}
