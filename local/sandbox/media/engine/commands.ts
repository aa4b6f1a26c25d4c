import type { BroadcastTarget } from '../encoding/broadcast-target.ts'
import type { Layout, Publication, StreamChange, StreamChoice } from '../media.ts'

/** What the engine can be told, and what it answers. Each command takes effect at the clock's time it was given. */
export interface Commands {
  /** Draws everything that is due. */
  render: [object, undefined]
  publish: [{ stream: Publication }, undefined]
  updateStream: [{ sessionId: string; streamId: string; change: StreamChange }, undefined]
  unpublish: [{ sessionId: string; streamId: string }, undefined]
  start: [OutputSetup, undefined]
  setLayout: [{ id: string; layout: Layout }, undefined]
  setStreams: [{ id: string; streams: readonly StreamChoice[] }, undefined]
  pause: [{ id: string }, undefined]
  resume: [{ id: string }, undefined]
  finish: [{ id: string }, FinishedOutput]
  discard: [{ id: string }, undefined]
}

export type CommandName = keyof Commands
export type Command = { [Name in CommandName]: { readonly name: Name } & Readonly<Commands[Name][0]> }[CommandName]
export type Answer<Name extends CommandName> = Commands[Name][1]

interface AnySetup {
  readonly id: string
  readonly sessionId: string
  readonly streams: readonly StreamChoice[] | undefined
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** From its start on. */
  readonly isPaused?: boolean | undefined
}

/** All streams in one picture. */
export interface ComposedSetup extends AnySetup {
  readonly width: number
  readonly height: number
  readonly layout: Layout
  readonly target: { readonly type: 'mp4'; readonly path: string } | BroadcastTarget
}

/** A file for each stream. */
export interface IndividualSetup extends AnySetup {
  /** What the manifest says of the archive besides its ids and files. */
  readonly manifest: { readonly name: string | undefined; readonly createdAt: number }
  /** The zip's path, and a directory of its own for the files until they are packed. */
  readonly target: { readonly type: 'zip'; readonly path: string; readonly directory: string }
}

export type OutputSetup = ComposedSetup | IndividualSetup

export interface FinishedOutput {
  readonly seconds: number
  /** Of archives only. */
  readonly file: { readonly size: number; readonly sha256: string } | undefined
}

/** Messages between the engine's thread and the one that commands it. */
export type ToEngine = { readonly number: number; readonly time: number; readonly command: Command } | 'close'
export type FromEngine =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly refusal: string }
  | { readonly failedOutput: string; readonly reason: string }
  | { readonly flvOf: string; readonly chunk: Uint8Array }
