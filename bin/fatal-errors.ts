/** Texts for failures of the system that may occur anywhere, by code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space, and start the command again.',
  EDQUOT: 'The quota of this user on the disk is used up. Free some space, and start the command again.',
  SQLITE_FULL: 'The disk is full. Free some space, and start the command again.',
  EROFS: 'The file system is read-only. Choose a folder that can be written to with --directory.',
}

/** Extended result code of SQLite for a full disk. */
const SQLITE_FULL = 13

/** Returns one sentence for a failure of the system, or undefined for any other error. */
export function fatalSentence(error: unknown): string | undefined {
  const { code, errcode, cause } = (error ?? {}) as { code?: string; errcode?: number; cause?: unknown }
  const reason = REASONS[errcode === SQLITE_FULL ? 'SQLITE_FULL' : (code ?? '')]
  return reason ?? (cause === undefined ? undefined : fatalSentence(cause))
}

/**
 * Ends the process with one sentence after a failure of the system that no caller has handled, such as a full disk. The output of
 * another program may end early, as in a pipe to `head`: the process then ends without a message, as others do.
 */
export function handleFatalErrors(program: NodeJS.Process = process): void {
  for (const stream of [program.stdout, program.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      program.exit(program.exitCode ?? 0)
    })
  program.on('uncaughtException', (error) => {
    const sentence = fatalSentence(error)
    program.stderr.write(`${sentence ?? error.stack ?? error}\n`)
    program.exit(1)
  })
}
