import { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { openZip } from '../../../lib/media/zip/open-zip.ts'
import { disposable } from '../../local/aws-access.ts'
import { requestLambda } from '../lambda-requests.ts'
import { type Check, later, missing, passed, unknown } from './check.ts'

/** Facts about the ffmpeg in a layer, which is read and not run. A problem is the message of Lambda or of the zip reader. */
export type LayerFacts =
  | { readonly problem: string }
  | { readonly ffmpeg: 'absent' }
  | {
      /** Undefined if the program is not an ELF file, such as a script. */
      readonly architecture: string | undefined
      /** Undefined if the file states none. */
      readonly version: string | undefined
    }

const PROGRAM = 'bin/ffmpeg'
const layerVersion = z.object({ Content: z.object({ Location: z.string(), CodeSize: z.number() }) })

/** Downloads the program in a layer. It reads the whole program, since the version is stored near its end. */
export async function readLayer(
  arn: string,
  region: string,
  client = new SFNClient({ region }),
  fetch = globalThis.fetch,
): Promise<LayerFacts> {
  using lambda = disposable(client)
  try {
    const request = { method: 'GET', path: '/2018-10-31/layers', query: { find: 'LayerVersion', Arn: arn } } as const
    const answer = await requestLambda(lambda, { region }, request)
    const { Location, CodeSize } = layerVersion.parse(JSON.parse(answer)).Content
    const entries = await openZip(readByRanges(Location, CodeSize, fetch))
    const program = entries.find(({ name }) => name === PROGRAM)
    return program ? readProgram(await program.load()) : { ffmpeg: 'absent' }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function readByRanges(url: string, size: number, fetch: typeof globalThis.fetch): ByteSource {
  return {
    size,
    async read(start, end) {
      const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } })
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status === 206 && bytes.length === end - start) return bytes
      throw new Error(`The file of the layer cannot be read by ranges (status ${response.status}).`)
    },
  }
}

/** Values of `e_machine` in the header of an ELF file. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x86_64', 183: 'arm64' }
/** The version as libavutil stores it: a text that ends with a zero byte. */
const VERSION = /FFmpeg version ([nN]?[-\d][\w.:+~/-]*)\0/

function readProgram(bytes: Buffer): LayerFacts {
  const isElf = bytes.length >= 20 && bytes.toString('latin1', 1, 4) === 'ELF'
  const architecture = isElf ? (MACHINES[bytes.readUInt16LE(18)] ?? 'another machine') : undefined
  return { architecture, version: VERSION.exec(bytes.toString('latin1'))?.[1] }
}

/** The oldest version with which the media tests pass. docs/deploy.md names it as well. */
const MIN_VERSION = [5, 1] as const

/** Compares the ffmpeg of the layer with the settings. */
export function checkLayer({ ffmpegLayer, architecture }: Settings, facts: LayerFacts): Check {
  const what = 'ffmpeg layer'
  if ('problem' in facts) return unknown(what, `${ffmpegLayer} was not checked: ${facts.problem}`)
  if ('ffmpeg' in facts) return missing(what, `${ffmpegLayer} has no ${PROGRAM}. Add the program (docs/deploy.md).`)
  if (facts.architecture && facts.architecture !== architecture)
    return missing(
      what,
      `The ffmpeg of ${ffmpegLayer} is for ${facts.architecture}, but the setting architecture is ${architecture}. Change one of them.`,
    )
  const { version = 'of an unknown version' } = facts
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  const isOld =
    version.startsWith('N-') || (major !== undefined && isBefore([Number(major), Number(minor)], MIN_VERSION))
  if (isOld)
    return later(
      what,
      `The layer has ffmpeg ${version}, which lacks security fixes. Use ${MIN_VERSION.join('.')} or later.`,
    )
  return passed(
    what,
    `ffmpeg ${version} for ${facts.architecture ?? 'an unknown machine'}. Its codecs are not checked.`,
  )
}

const isBefore = ([major, minor]: readonly [number, number], [from, fromMinor]: readonly [number, number]) =>
  major < from || (major === from && minor < fromMinor)
