import { format } from 'node:util'

const methods = ['debug', 'error', 'info', 'log', 'warn'] as const

/**
 * Passes this process’s console output to `take`, until the returned function is called. Output that `take` refuses is
 * written.
 */
export function interceptConsole(take: (text: string) => boolean): () => void {
  const real = methods.map((method) => [method, console[method]] as const)
  for (const [method, write] of real)
    console[method] = (...args: unknown[]) => {
      if (!take(format(...args))) write.apply(console, args)
    }
  return () => {
    for (const [method, write] of real) console[method] = write
  }
}
