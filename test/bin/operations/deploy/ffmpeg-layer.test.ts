import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, it } from 'vitest'
import { checkLayer, type LayerFacts, readLayer } from '../../../../bin/operations/deploy/ffmpeg-layer.ts'
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

/** Reads the layer of a Lambda that serves its zip by ranges. */
async function read(zip: Buffer, { isAllowed = true } = {}): Promise<LayerFacts> {
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
  return readLayer(LAYER, 'eu-west-1', new SFNClient({ region: 'eu-west-1', endpoint: server.url, credentials }))
}

/** Returns the head of an ELF file, and far behind it the version as libavutil stores it. */
function program(machine: number, stated: string, padding = 3_000_000): Buffer {
  const head = Buffer.alloc(padding)
  head.write('\x7fELF', 'latin1')
  head.writeUInt16LE(machine, 18)
  return Buffer.concat([head, Buffer.from(`an FFmpeg version to use\0${stated}\0`), head])
}

describe('readLayer', () => {
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
  ])('reads the machine and the version of the program: %s, %s', async (machine, stated, facts) => {
    const other = { name: 'bin/ffprobe', bytes: 'no program' }
    expect(await read(packZip([other, { name: 'bin/ffmpeg', bytes: program(machine, stated) }]))).toEqual(facts)
  })

  it('reads a compressed program', async () => {
    const zip = packZip([
      { name: 'bin/ffmpeg', bytes: program(62, 'FFmpeg version n9.0.2', 100_000), isDeflated: true },
    ])
    expect(await read(zip)).toEqual({ architecture: 'x86_64', version: 'n9.0.2' })
  })

  it('reports a zip without the program, and why it cannot be read', async () => {
    const zip = packZip([{ name: 'ffmpeg', bytes: program(62, '') }])
    expect(await read(zip)).toEqual({ ffmpeg: 'absent' })
    await server?.close()
    expect(await read(zip, { isAllowed: false })).toEqual({ problem: PROBLEM })
    await server?.close()
    expect(await read(Buffer.from('no zip'))).toEqual({ problem: expect.stringMatching(/not a zip file/) })
  })
})

describe('checkLayer', () => {
  const minimal = {
    platform: { url: 'https://platform.example.com' },
    identity: { issuer: 'https://issuer.example.com/' },
  }
  const settings = readSettings({ ...minimal, ffmpegLayer: LAYER, architecture: 'arm64' })

  it.each([
    [{ problem: 'there are no credentials.' }, 'unknown', `${LAYER} was not checked: there are no credentials.`],
    [{ ffmpeg: 'absent' as const }, 'missing', 'has no bin/ffmpeg'],
    [{ architecture: 'x86_64', version: '7.0' }, 'missing', 'is for x86_64, but the setting architecture is arm64'],
    [
      { architecture: 'arm64', version: '5.0.3' },
      'later',
      'ffmpeg 5.0.3, which lacks security fixes. Use 5.1 or later.',
    ],
    [{ architecture: 'arm64', version: 'N-47683-g0e8eb07980' }, 'later', 'ffmpeg N-47683-g0e8eb07980'],
    [
      { architecture: 'arm64', version: 'n10.1-3-gab' },
      'ok',
      'ffmpeg n10.1-3-gab for arm64. Its codecs are not checked.',
    ],
    [{ architecture: undefined, version: undefined }, 'ok', 'ffmpeg of an unknown version for an unknown machine'],
  ])('judges %j: %s', (facts, state, message) => {
    expect(checkLayer(settings, facts)).toMatchObject({ state, message: expect.stringContaining(message) })
  })
})
