/** Settles as the promise does, or rejects with the signal’s reason when that aborts. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns a controller that aborts with its parent, until released. */
export function linkAbort(parent: AbortSignal): { controller: AbortController; release(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(parent.reason)
  if (parent.aborted) abort()
  parent.addEventListener('abort', abort, { once: true })
  return { controller, release: () => parent.removeEventListener('abort', abort) }
}
