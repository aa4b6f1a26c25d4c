import { format } from 'node:util'

const methods = ['debug', 'error', 'info', 'log', 'warn'] as const

/** Hands what is written to this process's console to `take`, until the function it returns is called; what that does not take is written. */
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
