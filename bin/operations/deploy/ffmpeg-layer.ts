import { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { openZip } from '../../../lib/media/zip/open-zip.ts'
import { messageIn, requestLambda } from '../lambda-requests.ts'
import type { Check } from './check.ts'

/** What the file of a layer says of its ffmpeg, which is not run. A problem is said in the words of Lambda or of the zip. */
export type LayerFacts =
  | { readonly problem: string }
  | { readonly ffmpeg: 'absent' }
  | {
      /** Undefined for a program that is no ELF file: a script, say. */
      readonly architecture: string | undefined
      /** Undefined where the file states none. */
      readonly version: string | undefined
    }

const PROGRAM = 'bin/ffmpeg'
const layerVersion = z.object({ Content: z.object({ Location: z.string(), CodeSize: z.number() }) })

/** Asks Lambda where a layer's zip is, and reads the program in it: all of it, since its version is stored near the end. */
export async function lookAtLayer(
  arn: string,
  region: string,
  client = new SFNClient({ region }),
  fetch = globalThis.fetch,
): Promise<LayerFacts> {
  try {
    const query = { find: 'LayerVersion', Arn: arn }
    const { status, text } = await requestLambda(
      client,
      { region },
      { method: 'GET', path: '/2018-10-31/layers', query },
    )
    if (status !== 200) return { problem: messageIn(text) ?? `Lambda answers ${status}.` }
    const { Location, CodeSize } = layerVersion.parse(JSON.parse(text)).Content
    const entries = await openZip(readByRanges(Location, CodeSize, fetch))
    const program = entries.find(({ name }) => name === PROGRAM)
    return program ? readProgram(await program.load()) : { ffmpeg: 'absent' }
  } catch (error) {
    return { problem: (error as Error).message }
  } finally {
    client.destroy()
  }
}

function readByRanges(url: string, size: number, fetch: typeof globalThis.fetch): ByteSource {
  return {
    size,
    async read(start, end) {
      const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } })
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status === 206 && bytes.length === end - start) return bytes
      throw new Error(`The layer’s file cannot be read by ranges (status ${response.status}).`)
    },
  }
}

/** Values of `e_machine` in the header of an ELF file. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x86_64', 183: 'arm64' }
/** As libavutil carries it: the text is followed by a zero byte. */
const VERSION = /FFmpeg version ([nN]?[-\d][\w.:+~/-]*)\0/

function readProgram(bytes: Buffer): LayerFacts {
  const isElf = bytes.length >= 20 && bytes.toString('latin1', 1, 4) === 'ELF'
  const architecture = isElf ? (MACHINES[bytes.readUInt16LE(18)] ?? 'another machine') : undefined
  return { architecture, version: VERSION.exec(bytes.toString('latin1'))?.[1] }
}

/** Versions with which the media tests pass; docs/deploy.md names them as well. */
const OLDEST = [5, 1] as const

/** The layer's ffmpeg against the settings. */
export function checkLayer({ ffmpegLayer, architecture }: Settings, facts: LayerFacts): Check {
  const what = 'ffmpeg layer'
  if ('problem' in facts) return { what, state: 'unknown', words: `${ffmpegLayer} was not looked at: ${facts.problem}` }
  if ('ffmpeg' in facts)
    return {
      what,
      state: 'missing',
      words: `${ffmpegLayer} has no ${PROGRAM}: put the program there (docs/deploy.md).`,
    }
  if (facts.architecture && facts.architecture !== architecture)
    return {
      what,
      state: 'missing',
      words: `The ffmpeg of ${ffmpegLayer} is for ${facts.architecture}, and the setting architecture is ${architecture}: change one of them.`,
    }
  const { version = 'of a version that its file does not state' } = facts
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  const isOld = version.startsWith('N-') || (major !== undefined && isBefore([Number(major), Number(minor)], OLDEST))
  if (isOld)
    return {
      what,
      state: 'later',
      words: `The layer has ffmpeg ${version}: versions from ${OLDEST.join('.')} on are supported, and older ones lack security fixes.`,
    }
  return {
    what,
    state: 'ok',
    words: `ffmpeg ${version} for ${facts.architecture ?? 'a machine that its file does not state'}; which codecs it has shows when it runs.`,
  }
}

const isBefore = ([major, minor]: readonly [number, number], [from, fromMinor]: readonly [number, number]) =>
  major < from || (major === from && minor < fromMinor)
