import type { BroadcastTarget } from '../encoding/broadcast-target.ts'
import type { EncodedUnit } from '../live/packets.ts'
import type { Layout, Publication, StreamChange, StreamChoice } from '../media.ts'
import type { PackagedPart } from '../packaging/package-broadcast.ts'

/** Commands of the engine with their parameters and answers. Each takes effect at the clock's time of its call. */
export interface Commands {
  // Draws everything that is due.
  render: [object, undefined]
  publish: [{ stream: Publication }, undefined]
  updateStream: [{ sessionId: string; streamId: string; change: StreamChange }, undefined]
  unpublish: [{ sessionId: string; streamId: string }, undefined]
  start: [OutputSetup, undefined]
  setLayout: [{ id: string; layout: Layout }, undefined]
  setStreams: [{ id: string; streams: readonly StreamChoice[] }, undefined]
  pause: [{ id: string }, undefined]
  resume: [{ id: string }, undefined]
  /** Encodes what an output draws for clients as well. */
  watch: [{ id: string }, undefined]
  unwatch: [{ id: string }, undefined]
  finish: [{ id: string }, FinishedOutput]
  discard: [{ id: string }, undefined]
}

export type CommandName = keyof Commands
export type Command = { [Name in CommandName]: { readonly name: Name } & Readonly<Commands[Name][0]> }[CommandName]
export type EngineAnswer<Name extends CommandName> = Commands[Name][1]

interface AnySetup {
  readonly id: string
  readonly sessionId: string
  readonly streams?: readonly StreamChoice[] | undefined
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly isPaused?: boolean | undefined
}

/** Setup of an output with all streams in one picture. */
export interface ComposedSetup extends AnySetup {
  readonly width: number
  readonly height: number
  readonly layout: Layout
  readonly target:
    | { readonly type: 'mp4'; readonly path: string }
    | BroadcastTarget
    | { readonly type: 'live' }
    | { readonly type: 'samples' }
}

/** Setup of an output with a file for each stream. */
export interface IndividualSetup extends AnySetup {
  /** Fields of the manifest besides ids and files. */
  readonly manifest: { readonly name: string | undefined; readonly createdAt: number }
  /** Path of the zip, and an own directory for the files until they are packed. */
  readonly target: { readonly type: 'zip'; readonly path: string; readonly directory: string }
}

export type OutputSetup = ComposedSetup | IndividualSetup

export interface FinishedOutput {
  readonly seconds: number
  /** Only for archives. */
  readonly file: { readonly size: number; readonly sha256: string } | undefined
}

/** Messages between the engine's thread and the one that commands it. */
export type ToEngine = { readonly number: number; readonly time: number; readonly command: Command } | 'close'
export type FromEngine =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly refusal: string }
  | { readonly failedOutput: string; readonly reason: string }
  | { readonly flvOf: string; readonly chunk: Uint8Array }
  | { readonly partOf: string; readonly part: PackagedPart }
  | { readonly unitOf: string; readonly unit: EncodedUnit }
  | { readonly unwatched: string; readonly reason: string }
