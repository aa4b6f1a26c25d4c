/** Exit code of a program that Ctrl-C ended, by the convention of shells. */
const INTERRUPTED = 130

/** A second signal within this time is an echo: the terminal signals npm and the program, and npm forwards its own. */
const ECHO_MS = 500

/**
 * Runs `act` so that Ctrl-C and SIGTERM abort its signal instead of ending the process. It can then close its resources. A
 * second Ctrl-C ends the process at once.
 */
export async function interruptible(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController()
  let since = 0
  const interrupt = () => {
    if (interruption.signal.aborted) {
      if (performance.now() - since > ECHO_MS) process.exit(INTERRUPTED)
      return
    }
    since = performance.now()
    process.exitCode = INTERRUPTED
    interruption.abort(new Interrupted('Interrupted.'))
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    await act(interruption.signal)
  } catch (error) {
    if (!interruption.signal.aborted) throw error
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

/** Resolves when a signal aborts. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Returns true if an error only reports that the user interrupted. */
export const isInterruption = (error: unknown) =>
  error instanceof Interrupted || (error as Error)?.name === 'AbortError'

class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
