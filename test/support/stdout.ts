import { vi } from 'vitest'

/** Collects what a command that runs in this process writes, until `vi.restoreAllMocks()`. */
export function collectOutput() {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    })
  return written
}
