import {
  PlatformConflictError,
  PlatformError,
  PlatformNotFoundError,
  PlatformRequestError,
} from '../../platform/client/errors.ts'
import { describePlatformError } from '../run/platform-errors.ts'

export interface PlatformProblem {
  /** 409: the platform refuses the request; 502: it fails; 504: it does not answer. */
  readonly status: 409 | 502 | 504
  /** A sentence, with nothing secret in it. */
  readonly words: string
}

/** Returns the problem of a platform error; undefined for any other error. */
export function platformProblem(error: unknown): PlatformProblem | undefined {
  const plain = describePlatformError(error)
  if (!(plain instanceof PlatformError)) return undefined
  if (plain !== error) return { status: 409, words: plain.message }
  const { status, details } = plain
  const said = details.message ? `: ${details.message.replace(/\.$/, '')}` : ''
  if (isRefusal(plain))
    return { status: 409, words: `The platform refuses it (${status ?? 'before it is sent'}${said}).` }
  if (status === undefined) return { status: 504, words: 'The platform does not answer: try again later.' }
  return { status: 502, words: `The platform fails (${status}${said}): try again later.` }
}

const isRefusal = (error: PlatformError) =>
  error instanceof PlatformRequestError ||
  error instanceof PlatformNotFoundError ||
  error instanceof PlatformConflictError
