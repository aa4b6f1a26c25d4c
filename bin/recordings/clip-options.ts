import type { Command } from 'commander'
import { LAST_MARKER, MAX_CLIP } from '../../lib/show/document/orders/clip.ts'
import type { TargetOptions } from '../operations/target.ts'
import { parseMoment, wholeNumber } from '../parsers.ts'

type Bound = ReturnType<typeof parseMoment>

/** Bounds of a clip that is ordered. */
export interface ClipBounds {
  readonly from?: Bound
  readonly to?: Bound
  readonly last?: number
}

/** Options of a command that lists clips, or deletes one. */
export interface ClipListOptions extends TargetOptions {
  readonly delete?: string
  readonly json?: boolean
}

const JSON_HELP = 'print only the answer of the API, as JSON'

/** Parses a bound of a clip. @throws InvalidArgumentError for another text */
const parseBound = (text: string): Bound => (text === LAST_MARKER ? text : parseMoment(text))

/** Adds the arguments and options by which a clip is ordered. `help` says what its bounds are by default. */
export const withClipOrder = (command: Command, help: { readonly to: string; readonly last: string }): Command =>
  command
    .argument('<name>', 'title of the clip')
    .option('--from <bound>', 'start of the clip', parseBound)
    .option('--to <bound>', `end of the clip (default: ${help.to})`, parseBound)
    .option('--last <seconds>', help.last, wholeNumber(1, MAX_CLIP))
    .option('--json', JSON_HELP)

/** Adds the options of a command that lists clips, or deletes one. */
export const withClipList = (command: Command): Command =>
  command.option('--delete <clip>', 'id of a clip to delete').option('--json', JSON_HELP)

type Undefinable<T> = { readonly [Key in keyof T]: T[Key] | undefined }

/** Returns the bounds that were given. */
export const givenBounds = ({ from, to, last }: Undefinable<ClipBounds>): ClipBounds => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(last !== undefined && { last }),
})
