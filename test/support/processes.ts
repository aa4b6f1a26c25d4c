import { readdirSync, readFileSync } from 'node:fs'

/** The ids of this machine's processes whose command line holds a text; Linux only, as is what the tests run on. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLineOf(pid).includes(text))
}

/** Empty when there is no such process any more. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
