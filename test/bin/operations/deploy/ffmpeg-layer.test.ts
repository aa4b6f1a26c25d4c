import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, it } from 'vitest'
import { checkLayer, type LayerFacts, lookAtLayer } from '../../../../bin/operations/deploy/ffmpeg-layer.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { packZip } from '../../../lib/media/zip/packed.ts'

const LAYER = 'arn:aws:lambda:eu-west-1:111122223333:layer:ffmpeg:3'
const PROBLEM = 'User is not authorized to perform: lambda:GetLayerVersion'

let server: Listening | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A Lambda that has one layer, whose zip it serves by ranges. */
async function look(zip: Buffer, { isAllowed = true } = {}): Promise<LayerFacts> {
  server = await listen(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url)
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
    if (pathname === '/zip' && start && end)
      return new Response(new Uint8Array(zip.subarray(Number(start), Number(end) + 1)), { status: 206 })
    if (!isAllowed) return Response.json({ Message: PROBLEM }, { status: 403 })
    expect([pathname, searchParams.get('find'), searchParams.get('Arn')]).toEqual([
      '/2018-10-31/layers',
      'LayerVersion',
      LAYER,
    ])
    return Response.json({ Content: { Location: `${origin}/zip`, CodeSize: zip.length } })
  })
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
  return lookAtLayer(LAYER, 'eu-west-1', new SFNClient({ region: 'eu-west-1', endpoint: server.url, credentials }))
}

/** The head of an ELF file, and far behind it the version as libavutil carries it. */
function program(machine: number, stated: string, padding = 3_000_000): Buffer {
  const head = Buffer.alloc(padding)
  head.write('\x7fELF', 'latin1')
  head.writeUInt16LE(machine, 18)
  return Buffer.concat([head, Buffer.from(`an FFmpeg version to use\0${stated}\0`), head])
}

describe('lookAtLayer', () => {
  it.each([
    [
      62,
      'FFmpeg version n7.0-7-gd38bf5e08e-20240407',
      { architecture: 'x86_64', version: 'n7.0-7-gd38bf5e08e-20240407' },
    ],
    [183, 'FFmpeg version 5.1.9-0+deb12u1', { architecture: 'arm64', version: '5.1.9-0+deb12u1' }],
    [183, 'another word', { architecture: 'arm64', version: undefined }],
    [
      8,
      'FFmpeg version N-47683-g0e8eb07980-static',
      { architecture: 'another machine', version: 'N-47683-g0e8eb07980-static' },
    ],
  ])(
    'reads of the program in the zip which machine it is for, and its version: %s, %s',
    async (machine, stated, facts) => {
      const other = { name: 'bin/ffprobe', bytes: 'no program' }
      expect(await look(packZip([other, { name: 'bin/ffmpeg', bytes: program(machine, stated) }]))).toEqual(facts)
    },
  )

  it('reads a program that is packed', async () => {
    const zip = packZip([
      { name: 'bin/ffmpeg', bytes: program(62, 'FFmpeg version n9.0.2', 100_000), isDeflated: true },
    ])
    expect(await look(zip)).toEqual({ architecture: 'x86_64', version: 'n9.0.2' })
  })

  it('notices a zip without the program, and says why it cannot look', async () => {
    const zip = packZip([{ name: 'ffmpeg', bytes: program(62, '') }])
    expect(await look(zip)).toEqual({ ffmpeg: 'absent' })
    await server?.close()
    expect(await look(zip, { isAllowed: false })).toEqual({ problem: PROBLEM })
    await server?.close()
    expect(await look(Buffer.from('no zip'))).toEqual({ problem: expect.stringMatching(/is not a zip/) })
  })
})

describe('checkLayer', () => {
  const least = {
    platform: { url: 'https://platform.example.com' },
    identity: { issuer: 'https://issuer.example.com/' },
  }
  const settings = readSettings({ ...least, ffmpegLayer: LAYER, architecture: 'arm64' })

  it.each([
    [{ problem: 'there are no credentials.' }, 'unknown', `${LAYER} was not looked at: there are no credentials.`],
    [{ ffmpeg: 'absent' as const }, 'missing', 'has no bin/ffmpeg'],
    [{ architecture: 'x86_64', version: '7.0' }, 'missing', 'is for x86_64, and the setting architecture is arm64'],
    [{ architecture: 'arm64', version: '5.0.3' }, 'later', 'ffmpeg 5.0.3: versions from 5.1 on'],
    [{ architecture: 'arm64', version: 'N-47683-g0e8eb07980' }, 'later', 'ffmpeg N-47683-g0e8eb07980'],
    [{ architecture: 'arm64', version: 'n10.1-3-gab' }, 'ok', 'ffmpeg n10.1-3-gab for arm64; which codecs'],
    [{ architecture: undefined, version: undefined }, 'ok', 'of a version that its file does not state'],
  ])('says of %j what it means: %s', (facts, state, words) => {
    expect(checkLayer(settings, facts)).toMatchObject({ state, words: expect.stringContaining(words) })
  })
})
