import type { Evidence } from '../evidence.ts'

/**
 * Checks the function with which apps verify callbacks: it accepts those that are authentic by docs/callbacks.md, and refuses changed
 * and forged ones with the documented reason.
 */
export function agreedCallbacks({ verifiedEvents }: Pick<Evidence, 'verifiedEvents'>): string[] {
  return verifiedEvents.flatMap(({ callback, variant, outcome, expects }) => {
    const { event } = JSON.parse(callback.body) as { event: string }
    return outcome === expects
      ? []
      : [`the package answers ${outcome} instead of ${expects} for the callback ${event} ${variant}`]
  })
}
